// SPDX-License-Identifier: MIT
#include "strict_text.hpp"

#include <cstddef>

namespace http_fuzz {

namespace {

/// The bytes of a character, and the range of the second one; 0: no character begins so.
struct form {
  size_t bytes;
  unsigned char least = 0x80, most = 0xbf;
};
form form_of(unsigned char first) {
  if (first < 0x80) return {1};
  if (first >= 0xc2 && first <= 0xdf) return {2};
  if (first == 0xe0) return {3, 0xa0, 0xbf};
  if (first == 0xed) return {3, 0x80, 0x9f};
  if (first >= 0xe1 && first <= 0xef) return {3};
  if (first == 0xf0) return {4, 0x90, 0xbf};
  if (first >= 0xf1 && first <= 0xf3) return {4};
  return first == 0xf4 ? form{4, 0x80, 0x8f} : form{0};
}

}  // namespace

utf8 utf8_of(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const form f = form_of(static_cast<unsigned char>(text[at]));
    if (f.bytes == 0) return utf8::wrong;
    for (size_t i = 1; i < f.bytes; ++i) {
      if (at + i == text.size()) return utf8::cut;
      const auto next = static_cast<unsigned char>(text[at + i]);
      const bool is_second = i == 1;
      if (next < (is_second ? f.least : 0x80) || next > (is_second ? f.most : 0xbf)) return utf8::wrong;
    }
    at += f.bytes;
  }
  return utf8::whole;
}

}  // namespace http_fuzz
