// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_utf8.hpp>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// Writes the shortest text of a finite number that gives the same number again. From 2^63 on it
/// has an exponent: some readers take a number without one for an integer of at most 64 bits.
inline char* real_to_chars(char* to, char* end, double n) {
  constexpr double beyond = 9223372036854775808.0;
  if (n >= beyond || n <= -beyond) return std::to_chars(to, end, n, std::chars_format::scientific).ptr;
  return std::to_chars(to, end, n).ptr;
}

}  // namespace detail

/// Writes JSON to a string, piece by piece, and puts the commas between. The caller answers for the
/// order of the pieces.
///
/// Shape    one string that grows. No white space.
class json_text {
 public:
  void null() { value("null"); }
  void boolean(bool b) { value(b ? "true" : "false"); }
  void number(int64_t n) { put_number(n); }
  void number(uint64_t n) { put_number(n); }
  /// `n` is finite. The text is the shortest that gives the same number again.
  void number(double n) {
    char digits[32];
    value(std::string_view(digits,
                           static_cast<size_t>(detail::real_to_chars(digits, digits + sizeof digits, n) - digits)));
  }
  void text(std::string_view t) {
    comma();
    quote(t);
    needs_comma_ = true;
  }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void key(std::string_view name) {
    comma();
    quote(name);
    all_ += ':';
    needs_comma_ = false;
  }

  const std::string& str() const& noexcept { return all_; }
  std::string str() && noexcept { return std::move(all_); }

 private:
  void comma() {
    if (needs_comma_) all_ += ',';
  }
  void value(std::string_view v) {
    comma();
    all_.append(v);
    needs_comma_ = true;
  }
  void begin(char c) {
    comma();
    all_ += c;
    needs_comma_ = false;
  }
  void end(char c) {
    all_ += c;
    needs_comma_ = true;
  }
  template <typename Number>
  void put_number(Number n) {
    char digits[32];
    const std::to_chars_result r = std::to_chars(digits, digits + sizeof digits, n);
    value(std::string_view(digits, static_cast<size_t>(r.ptr - digits)));
  }
  void quote(std::string_view t) {
    const char* from = t.data();
    const char* const end = from + t.size();
    all_ += '"';
    for (const char* p = from; (p = detail::find_special(p, end)) != end; ++p) {
      if (!detail::is_ascii(*p)) continue;
      char escape[6];
      all_.append(from, p).append(escape, detail::write_escape(escape, *p));
      from = p + 1;
    }
    all_.append(from, end).append(1, '"');
  }

  std::string all_;
  bool needs_comma_ = false;
};

}  // namespace baton::BATON_VARIANT::components
