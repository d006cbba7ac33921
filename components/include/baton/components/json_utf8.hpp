// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

/// The bytes of strings in JSON.
namespace baton::BATON_VARIANT::components::detail {

inline uint32_t four_bytes(const char* p) noexcept {
  uint32_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}
inline uint64_t eight_bytes(const char* p) noexcept {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

constexpr bool is_ascii(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x80;
}
/// True for a quote, a backslash, a control character, and a byte that is not ASCII.
constexpr bool is_special(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || !is_ascii(c);
}
/// The same for eight bytes: the high bit of each that is special. Above the lowest such byte
/// others may be marked, too. A byte that is not ASCII keeps that bit in `quotes`, and 0xa2 in
/// `controls`.
constexpr uint64_t special_bytes(uint64_t word) noexcept {
  constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  const uint64_t controls = word - ones * 0x20;
  const uint64_t quotes = (word ^ ones * '"') - ones;
  const uint64_t slashes = (word ^ ones * '\\') - ones;
  return (controls | quotes | slashes) & highs;
}

/// Finds the first special byte, or the end.
inline const char* find_special(const char* p, const char* end) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const char* const first = p;
    for (; end - p >= 8; p += 8) {
      if (const uint64_t found = special_bytes(eight_bytes(p))) return p + (std::countr_zero(found) >> 3);
    }
    // The last bytes are the upper ones of eight that end here. Zeros, which are special, follow.
    if (p != end && end - first >= 8) {
      const uint64_t last = eight_bytes(end - 8) >> (8 * (8 - (end - p)));
      return p + (std::countr_zero(special_bytes(last)) >> 3);
    }
  }
  while (p != end && !is_special(*p)) ++p;
  return p;
}

/// True if no byte is special.
inline bool is_plain(std::string_view text) noexcept {
  const char* p = text.data();
  const char* const end = p + text.size();
  if (text.size() >= 8) {
    uint64_t found = special_bytes(eight_bytes(end - 8));
    for (; end - p > 8; p += 8) found |= special_bytes(eight_bytes(p));
    return found == 0;
  }
  while (p != end && !is_special(*p)) ++p;
  return p == end;
}

/// Writes the escape of a quote, a backslash or a control character. Returns the end; at most six
/// characters.
constexpr char* write_escape(char* to, char c) noexcept {
  constexpr std::string_view escaped = "\"\\\n\t\r\b\f", letters = "\"\\ntrbf", hex = "0123456789abcdef";
  *to++ = '\\';
  const size_t known = escaped.find(c);
  if (known != std::string_view::npos) {
    *to++ = letters[known];
    return to;
  }
  for (const char digit : {'u', '0', '0', hex[static_cast<size_t>(c >> 4)], hex[static_cast<size_t>(c & 15)]})
    *to++ = digit;
  return to;
}

/// Returns the bytes of a character that is not ASCII, or 0 if it is not UTF-8.
/// Source   the Unicode Standard, table 3-7.
constexpr int length_of_utf8(const char* p, const char* end) noexcept {
  const auto at = [p](int i) { return static_cast<unsigned char>(p[i]); };
  const unsigned char lead = at(0);
  const int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length == 0 || end - p < length) return 0;
  const int least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const int most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;  // no half of a pair, no more than U+10FFFF
  if (at(1) < least || at(1) > most) return 0;
  for (int i = 2; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

/// Returns the end of a character that is not ASCII, or null if it is not UTF-8.
constexpr const char* after_utf8(const char* p, const char* end) noexcept {
  const int length = length_of_utf8(p, end);
  return length == 0 ? nullptr : p + length;
}

/// Note   it compares no pointer with null, which g++ 12 refuses in a constant with
///        -fsanitize=undefined.
constexpr bool is_utf8(std::string_view text) noexcept {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end) {
    if (!std::is_constant_evaluated() && end - p >= 8 && (eight_bytes(p) & 0x8080808080808080) == 0) {
      p += 8;
      continue;
    }
    const int length = is_ascii(*p) ? 1 : length_of_utf8(p, end);
    if (length == 0) return false;
    p += length;
  }
  return true;
}

/// Appends a character that is no half of a pair.
inline void append_utf8(uint32_t c, std::string& to) {
  const auto put = [&to](uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  const auto put_tail = [&](int shift) { put(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put_tail(0);
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put_tail(6);
    put_tail(0);
  } else {
    put(0xf0 | c >> 18);
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
}

}  // namespace baton::BATON_VARIANT::components::detail
