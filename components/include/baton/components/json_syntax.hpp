// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json.hpp>
#include <baton/components/json_utf8.hpp>

namespace baton::BATON_VARIANT::components::detail {

/// The grammar of RFC 8259 over a text in memory, without a value for what it reads.
///
/// Shape    each function takes the place where something begins, and returns the place after it,
///          or null if the text is not JSON; `stop` has the reason then. Depth is bounded, and so
///          is the stack: a function calls itself once for each array or object.
/// Cost     O(bytes), each byte once.
class json_syntax {
 public:
  json_syntax(std::string_view text, unsigned depth) noexcept : end(text.data() + text.size()), depth_left(depth) {}

  static constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  static constexpr bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') <= 9; }

  const char* blanks(const char* p) const noexcept {
    while (p != end && is_blank(*p)) ++p;
    return p;
  }
  /// The same; most texts have none.
  const char* few_blanks(const char* p) const noexcept {
    if (p != end && static_cast<unsigned char>(*p) <= ' ') [[unlikely]]
      return blanks(p);
    return p;
  }
  const char* word(const char* p, std::string_view w) const noexcept {
    const bool is_it = static_cast<size_t>(end - p) >= w.size() && std::memcmp(p, w.data(), w.size()) == 0;
    return is_it ? p + w.size() : nullptr;
  }
  const char* digits(const char* p) const noexcept {
    if (p == end || !is_digit(*p)) return nullptr;
    while (p != end && is_digit(*p)) ++p;
    return p;
  }
  const char* number(const char* p) const noexcept {
    if (p != end && *p == '-') ++p;
    const char* const first = p;
    if (!(p = digits(p))) return nullptr;
    if (*first == '0' && p - first != 1) return nullptr;
    if (p != end && *p == '.' && !(p = digits(p + 1))) return nullptr;
    if (p != end && (*p == 'e' || *p == 'E')) {
      ++p;
      if (p != end && (*p == '+' || *p == '-')) ++p;
      p = digits(p);
    }
    return p;
  }
  const char* colon(const char* p) const noexcept {
    p = blanks(p);
    return p == end || *p != ':' ? nullptr : blanks(p + 1);
  }

  /// The rest of a string, which begins at `begin`, in whose bytes before `p` nothing is special.
  /// `to` gets the string; it may be null.
  const char* string(const char* begin, const char* p, std::string* to) const;
  /// Any value.
  const char* value(const char* p);

  /// Reads an array by `each(p)`, which reads one element.
  template <typename Each>
  const char* array(const char* p, Each each) {
    return sequence(p, ']', each);
  }

  const char* too_deep() noexcept {
    stop = json_fault::too_deep;
    return nullptr;
  }

  const char* const end;
  unsigned depth_left;
  json_fault stop = json_fault::malformed;

 private:
  static int hex_digit(char c) noexcept {
    if (is_digit(c)) return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }
  /// Four hexadecimal digits; below zero if they are none.
  int hex(const char* p) const noexcept {
    if (end - p < 4) return -1;
    int all = 0;
    for (int i = 0; i != 4; ++i) {
      const int digit = hex_digit(p[i]);
      if (digit < 0) return -1;
      all = all * 16 + digit;
    }
    return all;
  }
  const char* escape(const char* p, std::string* to) const;
  const char* utf16(const char* p, std::string* to) const;

  template <typename Each>
  const char* sequence(const char* p, char last, Each each) {
    if (depth_left == 0) return too_deep();
    --depth_left;
    p = blanks(p + 1);
    if (p != end && *p == last) return ++depth_left, p + 1;
    for (;;) {
      if (!(p = each(p))) return nullptr;
      p = blanks(p);
      if (p == end) return nullptr;
      if (*p == last) return ++depth_left, p + 1;
      if (*p != ',') return nullptr;
      p = blanks(p + 1);
    }
  }
};

/// After `\u`: a character, or a pair of UTF-16.
[[gnu::noinline]] inline const char* json_syntax::utf16(const char* p, std::string* to) const {
  const int first = hex(p);
  if (first < 0 || (first >= 0xdc00 && first < 0xe000)) return nullptr;
  p += 4;
  uint32_t c = static_cast<uint32_t>(first);
  if (first >= 0xd800 && first < 0xdc00) {
    const int second = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex(p + 2) : -1;
    if (second < 0xdc00 || second >= 0xe000) return nullptr;
    p += 6;
    c = 0x10000 + ((c - 0xd800) << 10) + (static_cast<uint32_t>(second) - 0xdc00);
  }
  if (to) append_utf8(c, *to);
  return p;
}

/// After the backslash.
inline const char* json_syntax::escape(const char* p, std::string* to) const {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (p == end) return nullptr;
  if (*p == 'u') return utf16(p + 1, to);
  const size_t which = letters.find(*p);
  if (which == std::string_view::npos) return nullptr;
  if (to) to->push_back(meanings[which]);
  return p + 1;
}

[[gnu::noinline]] inline const char* json_syntax::string(const char* begin, const char* p, std::string* to) const {
  if (to) to->clear();
  for (;;) {
    p = find_special(p, end);
    if (p == end) return nullptr;
    if (!is_ascii(*p)) {
      if (!(p = after_utf8(p, end))) return nullptr;
      continue;
    }
    if (to) to->append(begin, p);
    if (*p == '"') return p + 1;
    if (*p != '\\' || !(p = escape(p + 1, to))) return nullptr;
    begin = p;
  }
}

[[gnu::noinline]] inline const char* json_syntax::value(const char* p) {
  if (p == end) return nullptr;
  switch (*p) {
    case '"':
      return string(p + 1, p + 1, nullptr);
    case 't':
      return word(p, "true");
    case 'f':
      return word(p, "false");
    case 'n':
      return word(p, "null");
    case '[':
      return array(p, [this](const char* one) { return value(one); });
    case '{':
      return sequence(p, '}', [this](const char* one) -> const char* {
        if (one == end || *one != '"' || !(one = string(one + 1, one + 1, nullptr)) || !(one = colon(one)))
          return nullptr;
        return value(one);
      });
    default:
      return number(p);
  }
}

}  // namespace baton::BATON_VARIANT::components::detail
