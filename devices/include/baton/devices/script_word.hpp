// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// The characters of a script.

namespace baton {
namespace devices {
namespace detail {

/// A word in the text of a script.
struct script_word {
  const char* begin;
  size_t length;

  bool is(const char* text) const {
    size_t i = 0;
    for (; i < length && text[i] == begin[i] && text[i]; ++i) {
    }
    return i == length && !text[i];
  }
};

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

/// The value of a hexadecimal digit, -1 for any other character.
constexpr int hex_value(char c) {
  return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace detail
}  // namespace devices
}  // namespace baton
