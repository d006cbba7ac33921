// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/log_field.hpp>
#include <baton/components/utf8.hpp>
#include <charconv>
#include <string>

/// Text of a log line that cannot be taken for another line, nor change what a terminal shows.
namespace baton::BATON_VARIANT::components {

namespace detail {

/// True for what a terminal or a reader would act upon: control characters, line separators, and
/// marks that turn the direction of writing.
constexpr bool acts(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

inline void append_hex(std::string& to, char32_t number, unsigned digits) {
  for (unsigned left = digits; left != 0; --left) to += "0123456789abcdef"[number >> (4 * (left - 1)) & 15];
}

inline void append_escape(std::string& to, char32_t c) {
  constexpr std::string_view plain = "\n\t\r", letters = "ntr";
  const size_t known = c < 0x20 ? plain.find(static_cast<char>(c)) : std::string_view::npos;
  to += '\\';
  if (known != std::string_view::npos) {
    to += letters[known];
  } else {
    to += c < 0x100 ? 'x' : 'u';
    append_hex(to, c, c < 0x100 ? 2 : 4);
  }
}

}  // namespace detail

/// Appends a text on one line: control characters, line separators and marks that turn the
/// direction of writing as `\n`, `\x1b` or `\u202e`, and bytes that are no UTF-8 as `\xff`.
inline void append_line_text(std::string& to, std::string_view text) {
  while (!text.empty()) {
    const utf8_character c = first_character(text);
    const size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    if (c.bytes == 0) {
      detail::append_escape(to, static_cast<unsigned char>(text.front()));
    } else if (detail::acts(c.code)) {
      detail::append_escape(to, c.code);
    } else {
      to.append(text, 0, bytes);
    }
    text.remove_prefix(bytes);
  }
}

namespace detail {

inline void append_value(std::string& to, std::string_view text) {
  const bool is_quoted = text.empty() || text.find_first_of(" \"\\=") != std::string_view::npos;
  if (!is_quoted) return append_line_text(to, text);
  to += '"';
  for (size_t from = 0;;) {
    const size_t end = text.find_first_of("\"\\", from);
    append_line_text(to, text.substr(from, end - from));
    if (end == std::string_view::npos) break;
    to.append(1, '\\').append(1, text[end]);
    from = end + 1;
  }
  to += '"';
}
inline void append_value(std::string& to, bool b) {
  to += b ? "true" : "false";
}
template <typename Number>
void append_value(std::string& to, Number n) {
  char digits[32];
  const std::to_chars_result r = std::to_chars(digits, digits + sizeof digits, n);
  to.append(digits, r.ptr);
}

}  // namespace detail

/// Appends fields, each as ` name=value`. A text with a blank, a quotation mark, a backslash or an
/// equals sign, and one that is empty, stands in quotation marks.
inline void append_fields(std::string& to, log_fields fields) {
  for (const log_field& f : fields) {
    to += ' ';
    append_line_text(to, f.name);
    to += '=';
    std::visit([&](const auto& v) { detail::append_value(to, v); }, f.value);
  }
}

}  // namespace baton::BATON_VARIANT::components
