// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json.hpp>
#include <cmath>

/// Writes a struct with a library's writer.
namespace baton::BATON_VARIANT::components::detail {

inline double finite(double d) {
  if (!std::isfinite(d)) throw std::invalid_argument("JSON has no number that is not finite");
  return d;
}
[[noreturn]] inline void refuse_text() {
  throw std::invalid_argument("JSON is UTF-8, and this text is not");
}
inline std::string_view utf8(std::string_view text) {
  if (!is_utf8(text)) refuse_text();
  return text;
}

/// Writes a value by a writer's functions: `null()`, `boolean(bool)`, `number(int64_t)`,
/// `number(uint64_t)`, `number(double)`, `text(std::string_view)`, `begin_array()`, `end_array()`,
/// `begin_object()`, `key(std::string_view)`, `end_object()`. An optional member without a value is
/// left out.
template <typename Writer, typename T>
void write_json(Writer& w, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    w.boolean(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    w.number(finite(static_cast<double>(value)));
  } else if constexpr (std::is_unsigned_v<T>) {
    w.number(static_cast<uint64_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    w.number(static_cast<int64_t>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    w.text(utf8(value));
  } else if constexpr (is_optional<T>) {
    value ? write_json(w, *value) : w.null();
  } else if constexpr (is_vector<T>) {
    w.begin_array();
    for (const auto& one : value) write_json(w, static_cast<const typename T::value_type&>(one));
    w.end_array();
  } else {
    static_assert(check_fields<T>());
    w.begin_object();
    each_field<T>([&](const auto& f) {
      const auto& member = value.*f.at;
      if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
        if (!member) return true;
      }
      w.key(name_of(f));
      write_json(w, member);
      return true;
    });
    w.end_object();
  }
}

}  // namespace baton::BATON_VARIANT::components::detail
