// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <baton/components/json_types.hpp>

/// The names of a struct's fields, prepared at compile time.
namespace baton::BATON_VARIANT::components::detail {

template <typename T, size_t I>
constexpr auto& field_of = std::get<I>(fields_of<T>);
template <typename T, size_t I>
using value_of_field = typename std::remove_cvref_t<decltype(field_of<T, I>)>::value;

constexpr char* write_key(char* to, std::string_view name) noexcept {
  *to++ = '"';
  for (const char c : name) {
    if (is_special(c) && is_ascii(c)) {
      to = write_escape(to, c);
    } else {
      *to++ = c;
    }
  }
  *to++ = '"';
  *to++ = ':';
  return to;
}

/// The name as it stands in a text, with its quotes and the colon.
template <typename T, size_t I>
constexpr auto key_of = [] {
  constexpr std::string_view name = name_of(field_of<T, I>);
  constexpr size_t length = [name] {
    char all[6 * name.size() + 3] = {};
    return static_cast<size_t>(write_key(all, name) - all);
  }();
  std::array<char, 6 * name.size() + 3> all{};
  write_key(all.data(), name);
  std::array<char, length> key{};
  std::copy_n(all.begin(), length, key.begin());
  return key;
}();

/// The numbers of the fields in the order of their names.
template <typename T>
constexpr auto order_of_names = [] {
  constexpr size_t count = count_of_fields<T>;
  std::array<std::string_view, count> names{};
  size_t next = 0;
  each_field<T>([&](const auto& f) {
    names[next++] = name_of(f);
    return true;
  });
  std::array<uint16_t, count> order{};
  for (size_t i = 0; i != count; ++i) order[i] = static_cast<uint16_t>(i);
  std::sort(order.begin(), order.end(), [&names](uint16_t a, uint16_t b) { return names[a] < names[b]; });
  return order;
}();

}  // namespace baton::BATON_VARIANT::components::detail
