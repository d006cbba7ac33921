// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_syntax.hpp>
#include <charconv>
#include <system_error>

namespace baton::BATON_VARIANT::components::detail {

/// True if a number whose double does not exist is below 1: too near to zero, not too far from it.
inline bool is_near_zero(const char* p, const char* end) noexcept {
  constexpr int64_t longest = 1000000000000;  // more digits than a text has
  int64_t magnitude = 0;                      // the number is at least a tenth of 10 to this power
  bool is_fraction = false, is_significant = false;
  for (; p != end && (*p | 0x20) != 'e'; ++p) {
    if (*p == '.') is_fraction = true;
    if (!json_syntax::is_digit(*p)) continue;
    is_significant |= *p != '0';
    if (is_significant && !is_fraction) ++magnitude;
    if (!is_significant && is_fraction) --magnitude;
  }
  const bool is_below = p != end && end - p > 1 && p[1] == '-';
  int64_t exponent = 0;
  for (; p != end; ++p) {
    if (json_syntax::is_digit(*p) && exponent < longest) exponent = exponent * 10 + (*p - '0');
  }
  return magnitude + (is_below ? -exponent : exponent) <= 0;
}

/// Reads the number [p, end), which is one by the grammar. A number too near to zero is a zero.
/// Returns false if it is too far from zero.
inline bool read_real(const char* p, const char* end, double& to) noexcept {
  if (std::from_chars(p, end, to).ec == std::errc()) return true;
  if (!is_near_zero(p, end)) return false;
  to = *p == '-' ? -0.0 : 0.0;
  return true;
}

}  // namespace baton::BATON_VARIANT::components::detail
