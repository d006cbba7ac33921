// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <string_view>

/// The characters of HTTP, for what is sent and for what was read.
/// Source   RFC 9110, 5.5, 5.6.2; RFC 9112, 3.2.
namespace baton::BATON_VARIANT::components::detail {

inline bool is_token(std::string_view s) noexcept {
  for (const char c : s) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_letter && std::string_view("!#$%&'*+-.^_`|~").find(c) == std::string_view::npos) return false;
  }
  return !s.empty();
}
/// True for the value of a header: no line end, which would begin another header.
inline bool is_field_value(std::string_view s) noexcept {
  for (const char c : s) {
    if ((c >= 0 && c < ' ' && c != '\t') || c == 127) return false;
  }
  return true;
}
/// True for a request's target: visible characters of ASCII, and no fragment.
inline bool is_target(std::string_view s) noexcept {
  for (const char c : s) {
    if (c <= ' ' || c >= 127 || c == '#') return false;
  }
  return !s.empty();
}
inline bool is_number(std::string_view s) noexcept {
  for (const char c : s) {
    if (c < '0' || c > '9') return false;
  }
  return !s.empty();
}

inline char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
inline bool is_same_name(std::string_view a, std::string_view b) noexcept {
  bool is_same = a.size() == b.size();
  for (size_t i = 0; is_same && i != a.size(); ++i) is_same = lower(a[i]) == lower(b[i]);
  return is_same;
}
inline std::string_view trimmed(std::string_view s) noexcept {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

}  // namespace baton::BATON_VARIANT::components::detail
