// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The parts of a message of HTTP/1, read by the RFC's letter: nothing is returned for what it says
/// must be refused, and for what is not complete.
/// Source   RFC 9110, 5; RFC 9112, 2 to 7.
namespace http_fuzz {

/// The rest of a text.
class bytes {
 public:
  explicit bytes(std::string_view text) : left_(text) {}

  bool is_empty() const { return left_.empty(); }
  /// A line without its end, in which no half of a line's end stands.
  std::optional<std::string_view> line();
  std::optional<std::string_view> take(uint64_t n);
  void skip_empty_lines();

 private:
  std::string_view left_;
};

struct header {
  std::string name, value;  // the name in small letters
};
using headers = std::vector<header>;

/// Reads headers and the empty line behind them. A folded line is a part of the value before it.
std::optional<headers> read_headers(bytes& from);
std::vector<std::string> values_of(const headers& all, std::string_view name);
/// The elements of a list, which may stand in several headers, in small letters.
std::vector<std::string> words_of(const headers& all, std::string_view name);
bool has_word(const headers& all, std::string_view name, std::string_view word);

/// Reads the body whose border these headers give.
std::optional<std::string> read_body(bytes& from, const headers& all, bool is_one_zero);

bool is_token(std::string_view s);
std::string in_small_letters(std::string_view s);
/// A number of at most 60 bits.
std::optional<uint64_t> number_of(std::string_view s, unsigned base);

}  // namespace http_fuzz
