// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
  const unsigned char lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i != bytes; ++i) {
    if ((at(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (at(i) & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

}  // namespace baton::BATON_VARIANT::components
