// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_members.hpp>
#include <limits>

namespace baton::BATON_VARIANT::components::detail {

/// Reads structs from a text in one pass, without values between.
///
/// Shape    as `json_syntax`. A value that does not fit its member is skipped, and `error` has the
///          reason: the rest may still be no JSON, which is told first. So no byte is read twice.
class json_struct_reader : public json_syntax {
 public:
  using json_syntax::json_syntax;

  /// Reads a value that begins at `p`, where no blank is.
  template <typename T>
  const char* read(const char* p, T& to) {
    if constexpr (std::is_same_v<T, bool>) {
      return read_bool(p, to);
    } else if constexpr (std::is_floating_point_v<T>) {
      return read_real_number(p, to);
    } else if constexpr (std::is_integral_v<T>) {
      return read_integer(p, to);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return read_string(p, to);
    } else if constexpr (is_optional<T>) {
      if (const char* const q = word(p, "null")) return to.reset(), q;
      return read(p, to.emplace());
    } else if constexpr (is_vector<T>) {
      return read_array(p, to);
    } else {
      return read_object(p, to);
    }
  }

  json_error error;

 private:
  static constexpr size_t most_in_order = 64;  // members that are looked for in the order of the fields

  const char* refuse(json_fault f, const char* behind) noexcept {
    if (behind) error.fault = f;
    return behind;
  }
  [[gnu::noinline]] const char* wrong_type(const char* p) { return refuse(json_fault::wrong_type, value(p)); }
  bool is_refused() const noexcept { return error.fault != json_fault::none; }
  void below(std::string_view step) {
    const bool dot = !error.path.empty() && error.path.front() != '[';
    error.path.insert(0, dot ? "." : "").insert(0, step);
  }

  const char* read_bool(const char* p, bool& to) {
    if (const char* const q = word(p, "true")) return to = true, q;
    if (const char* const q = word(p, "false")) return to = false, q;
    return wrong_type(p);
  }
  const char* read_string(const char* p, std::string& to) {
    if (p == end || *p != '"') [[unlikely]]
      return wrong_type(p);
    const char* const first = p + 1;
    const char* const last = find_special(first, end);
    if (last == end || *last != '"') [[unlikely]]
      return string(first, last, &to);
    to.clear();  // `assign` takes twice the instructions of these two
    to.append(first, static_cast<size_t>(last - first));
    return last + 1;
  }
  template <typename T>
  const char* read_real_number(const char* p, T& to) {
    if (p == end || (*p != '-' && !is_digit(*p))) [[unlikely]]
      return wrong_type(p);
    const char* const q = number(p);
    if (!q) [[unlikely]]
      return nullptr;
    double d = 0;
    constexpr double most = static_cast<double>(std::numeric_limits<T>::max());
    if (!read_real(p, q, d) || d > most || d < -most) [[unlikely]]
      return refuse(json_fault::out_of_range, q);
    to = static_cast<T>(d);
    return q;
  }
  template <typename T>
  const char* read_integer(const char* p, T& to) {
    constexpr uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
    const char* q = p;
    uint64_t n = 0;
    for (; q != end && is_digit(*q); ++q) n = n * 10 + static_cast<uint64_t>(*q - '0');
    const size_t length = static_cast<size_t>(q - p);
    const bool is_plain = length - 1 < 19 && (*p != '0' || length == 1) && n <= most;
    if (!is_plain || (q != end && is_real(*q))) [[unlikely]]
      return read_any_integer(p, to);
    to = static_cast<T>(n);
    return q;
  }
  /// The same for a number that is negative, long or none.
  template <typename T>
  [[gnu::noinline]] const char* read_any_integer(const char* p, T& to) {
    constexpr uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
    const char* const q = p != end && (*p == '-' || is_digit(*p)) ? number(p) : nullptr;
    if (!q || std::find_if(p, q, is_real) != q) return wrong_type(p);
    const bool is_negative = *p == '-';
    uint64_t n = 0;
    const bool is_64_bits = std::from_chars(p + is_negative, q, n).ec == std::errc();
    const uint64_t limit = !is_negative ? most : std::is_signed_v<T> ? most + 1 : 0;
    if (!is_64_bits || n > limit) return refuse(json_fault::out_of_range, q);
    to = static_cast<T>(is_negative ? 0 - n : n);
    return q;
  }
  static bool is_real(char c) noexcept { return c == '.' || (c | 0x20) == 'e'; }

  template <typename T>
  const char* read_array(const char* p, std::vector<T>& to) {
    if (p == end || *p != '[') [[unlikely]]
      return wrong_type(p);
    to.clear();
    bool is_over = false;
    return array(p, [&](const char* one) {
      if (is_over) [[unlikely]]
        return value(one);
      one = read_element(one, to);
      if (one && is_refused()) [[unlikely]] {
        is_over = true;
        below("[" + std::to_string(to.size() - 1) + "]");
      }
      return one;
    });
  }
  template <typename T>
  const char* read_element(const char* p, std::vector<T>& to) {
    return read(p, to.emplace_back());
  }
  const char* read_element(const char* p, std::vector<bool>& to) {
    bool one = false;
    p = read(p, one);
    to.push_back(one);
    return p;
  }

  template <typename T>
  const char* read_object(const char* p, T& to);
  template <typename T, size_t... I>
  const char* read_in_order(const char* p, T& to, std::index_sequence<I...>);
  template <typename T, size_t I>
  bool read_next(json_place& at, T& to, uint64_t& seen);
  const char* read_members(json_place at, void* to, json_members of, json_seen seen);
  const char* read_member(const char* p, void* to, json_members of, json_seen seen, size_t& expected,
                          json_first_fault& first);
  const char* read_key(const char* p, std::string_view& name, std::string& decoded) const;
  void end_members(void* to, json_members of, json_seen seen, json_first_fault& first);

  template <typename T, size_t I>
  static const char* read_as(json_struct_reader& in, const char* p, void* to) {
    return in.read(p, static_cast<T*>(to)->*field_of<T, I>.at);
  }
  template <typename T, size_t I>
  static void clear_as(void* to) {
    (static_cast<T*>(to)->*field_of<T, I>.at).reset();
  }
  template <typename T, size_t I>
  static constexpr json_member member() {
    json_member m{name_of(field_of<T, I>), &read_as<T, I>, nullptr};
    if constexpr (is_optional<value_of_field<T, I>>) m.clear = &clear_as<T, I>;
    return m;
  }
  template <typename T, size_t... I>
  static constexpr std::array<json_member, sizeof...(I)> table_of(std::index_sequence<I...>) {
    return {member<T, I>()...};
  }
  template <typename T>
  static constexpr auto table = table_of<T>(std::make_index_sequence<count_of_fields<T>>());
  template <typename T>
  static constexpr json_members members_of() {
    return {table<T>.data(), order_of_names<T>.data(), count_of_fields<T>};
  }
};

}  // namespace baton::BATON_VARIANT::components::detail

#include <baton/components/json_object_reader.hpp>
