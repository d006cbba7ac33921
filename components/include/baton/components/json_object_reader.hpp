// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_struct_reader.hpp>

/// The objects of `json_struct_reader`: first the members in the order of the fields, by code of
/// each struct; then, from the first one that is not next, members in any order, by code for all.
namespace baton::BATON_VARIANT::components::detail {

/// True if the text begins with `N` characters that are known at compile time.
template <size_t N>
[[gnu::always_inline]] inline bool begins_with(const char* p, const char* known) noexcept {
  if constexpr (N >= 4 && N <= 8) {  // twice four bytes, which may overlap
    return ((four_bytes(p) ^ four_bytes(known)) | (four_bytes(p + N - 4) ^ four_bytes(known + N - 4))) == 0;
  } else if constexpr (N > 8 && N <= 16) {
    return ((eight_bytes(p) ^ eight_bytes(known)) | (eight_bytes(p + N - 8) ^ eight_bytes(known + N - 8))) == 0;
  } else {
    return std::memcmp(p, known, N) == 0;
  }
}

/// Reads the member `I` if it comes next, as the writer writes it. Returns false if the members
/// after it are not to be tried.
template <typename T, size_t I>
[[gnu::always_inline]] inline bool json_struct_reader::read_next(json_place& at, T& to, uint64_t& seen) {
  constexpr const auto& key = key_of<T, I>;
  if (static_cast<size_t>(end - at.p) < key.size() || !begins_with<key.size()>(at.p, key.data())) [[unlikely]] {
    return is_optional<value_of_field<T, I>>;
  }
  const char* const p = read(few_blanks(at.p + key.size()), to.*field_of<T, I>.at);
  at.p = p;
  if (!p) [[unlikely]]
    return false;
  seen |= uint64_t{1} << I;
  at.where = json_place::value_end;
  if (is_refused()) [[unlikely]]
    return at.refused = I, false;
  at.p = few_blanks(p);
  if (at.p == end || *at.p != ',') return false;
  if constexpr (I + 1 != count_of_fields<T>) {
    at.p = few_blanks(at.p + 1);
    at.where = json_place::key;
    return true;
  }
  return false;
}

template <typename T, size_t... I>
inline const char* json_struct_reader::read_in_order(const char* p, T& to, std::index_sequence<I...>) {
  json_place at{p, json_place::begin, json_members::none};
  uint64_t seen = 0;
  static_cast<void>((read_next<T, I>(at, to, seen) && ...));
  if (!at.p) [[unlikely]]
    return nullptr;
  constexpr uint64_t every = sizeof...(I) == 64 ? ~uint64_t{0} : (uint64_t{1} << sizeof...(I) % 64) - 1;
  const bool is_whole = at.where == json_place::value_end && seen == every && at.refused == json_members::none;
  if (is_whole && at.p != end && *at.p == '}') [[likely]]
    return ++depth_left, at.p + 1;
  uint64_t words[1] = {seen};
  return read_members(at, &to, members_of<T>(), {words});
}

template <typename T>
inline const char* json_struct_reader::read_object(const char* p, T& to) {
  static_assert(check_fields<T>());
  if (p == end || *p != '{') [[unlikely]]
    return wrong_type(p);
  if (depth_left == 0) [[unlikely]]
    return too_deep();
  --depth_left;
  p = few_blanks(p + 1);
  if constexpr (count_of_fields<T> <= most_in_order) {
    return read_in_order(p, to, std::make_index_sequence<count_of_fields<T>>());
  } else {
    uint64_t words[(count_of_fields<T> + 63) / 64] = {};
    return read_members({p, json_place::begin, json_members::none}, &to, members_of<T>(), {words});
  }
}

/// Reads a name, and the colon behind it.
inline const char* json_struct_reader::read_key(const char* p, std::string_view& name, std::string& decoded) const {
  if (p == end || *p != '"') return nullptr;
  const char* const first = p + 1;
  p = find_special(first, end);
  if (p != end && *p == '"') {
    name = {first, static_cast<size_t>(p - first)};
    return colon(p + 1);
  }
  if (!(p = string(first, p, &decoded))) return nullptr;
  name = decoded;
  return colon(p);
}

/// Reads a member. One that is unknown, or that comes once more, is skipped.
inline const char* json_struct_reader::read_member(const char* p, void* to, json_members of, json_seen seen,
                                                   size_t& expected, json_first_fault& first) {
  std::string_view name;
  std::string decoded;
  if (!(p = read_key(p, name, decoded))) return nullptr;
  const size_t i = of.find(name, expected);
  if (i == json_members::none || seen.has(i)) return value(p);
  seen.add(i);
  expected = i + 1;
  p = of.all[i].read(*this, p, to);
  if (p && is_refused()) {
    below(of.all[i].name);
    first.note(i, error);
  }
  return p;
}

/// After the last member: members that are missing. Tells the first fault.
inline void json_struct_reader::end_members(void* to, json_members of, json_seen seen, json_first_fault& first) {
  for (size_t i = 0; i != of.count; ++i) {
    if (seen.has(i)) continue;
    if (of.all[i].clear) {
      of.all[i].clear(to);
    } else if (i < first.at) {
      error.fault = json_fault::missing_field;
      below(of.all[i].name);
      first.note(i, error);
    }
  }
  if (first.at != json_members::none) error = std::move(first.error);
}

[[gnu::noinline]] inline const char* json_struct_reader::read_members(json_place at, void* to, json_members of,
                                                                      json_seen seen) {
  json_first_fault first;
  size_t expected = 0;
  if (at.refused != json_members::none) {
    below(of.all[at.refused].name);
    first.note(at.refused, error);
  }
  const char* p = at.p;
  bool is_end = at.where == json_place::begin && p != end && *p == '}';
  while (!is_end) {
    if (at.where != json_place::value_end && !(p = read_member(p, to, of, seen, expected, first))) return nullptr;
    at.where = json_place::key;
    p = blanks(p);
    if (p == end || (*p != ',' && *p != '}')) return nullptr;
    is_end = *p == '}';
    if (!is_end) p = blanks(p + 1);
  }
  end_members(to, of, seen, first);
  ++depth_left;
  return p + 1;
}

}  // namespace baton::BATON_VARIANT::components::detail
