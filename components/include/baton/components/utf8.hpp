// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_utf8.hpp>

namespace baton::BATON_VARIANT::components {

/// A character at the beginning of a text, and the bytes that it takes there; 0 bytes if there is
/// none, because the text is no UTF-8 there.
struct utf8_character {
  char32_t code = 0;
  size_t bytes = 0;
};

/// Reads the first character of a text that is not empty.
/// Errors   0 bytes: a byte that begins no character, an overlong form, half of a surrogate pair, a
///          code beyond U+10FFFF, an end within a character.
/// Source   RFC 3629, section 3
constexpr utf8_character first_character(std::string_view text) noexcept {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (detail::is_ascii(text[0])) return {at(0), 1};
  const char* const end = detail::after_utf8(text.data(), text.data() + text.size());
  if (!end) return {};
  const auto bytes = static_cast<size_t>(end - text.data());
  char32_t code = at(0) & (0xffu >> (bytes + 1));
  for (size_t i = 1; i != bytes; ++i) code = code << 6 | (at(i) & 0x3fu);
  return {code, bytes};
}

}  // namespace baton::BATON_VARIANT::components
