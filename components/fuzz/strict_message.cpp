// SPDX-License-Identifier: MIT
#include "strict_message.hpp"

#include <algorithm>

namespace http_fuzz {

namespace {

constexpr std::string_view line_end = "\r\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
bool is_token_character(char c) {
  const char small = lower(c);
  const bool is_plain = (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
  return is_plain || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool is_value(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= ' ' && byte != 127);
  });
}
std::string_view trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

/// The size in a chunk's first line, behind which blanks may stand only in front of an extension.
std::optional<uint64_t> chunk_size_of(std::string_view line) {
  if (!is_value(line)) return std::nullopt;
  const size_t extension = line.find(';');
  std::string_view size = line.substr(0, extension);
  if (extension != std::string_view::npos) size = size.substr(0, size.find_last_not_of(" \t") + 1);
  return number_of(size, 16);
}

std::optional<std::string> read_chunks(bytes& from) {
  std::string all;
  for (;;) {
    const auto line = from.line();
    const auto size = line ? chunk_size_of(*line) : std::nullopt;
    if (!size) return std::nullopt;
    if (*size == 0) break;
    const auto data = from.take(*size);
    if (!data || from.take(2) != line_end) return std::nullopt;
    all += *data;
  }
  return read_headers(from) ? std::optional(all) : std::nullopt;
}

}  // namespace

std::optional<std::string_view> bytes::line() {
  const size_t end = left_.find(line_end);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view found = left_.substr(0, end);
  if (found.find_first_of(line_end) != std::string_view::npos) return std::nullopt;
  left_.remove_prefix(end + 2);
  return found;
}
std::optional<std::string_view> bytes::take(uint64_t n) {
  if (n > left_.size()) return std::nullopt;
  const std::string_view found = left_.substr(0, n);
  left_.remove_prefix(n);
  return found;
}
void bytes::skip_empty_lines() {
  while (left_.starts_with(line_end)) left_.remove_prefix(2);
}

std::optional<headers> read_headers(bytes& from) {
  headers all;
  for (;;) {
    const auto line = from.line();
    if (!line || !is_value(*line)) return std::nullopt;
    if (line->empty()) return all;
    const bool is_folded = line->front() == ' ' || line->front() == '\t';
    if (is_folded && all.empty()) return std::nullopt;
    if (is_folded) {
      all.back().value = trimmed(all.back().value + " " + std::string(trimmed(*line)));
      continue;
    }
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos || !is_token(line->substr(0, colon))) return std::nullopt;
    all.push_back({in_small_letters(line->substr(0, colon)), std::string(trimmed(line->substr(colon + 1)))});
  }
}

std::vector<std::string> values_of(const headers& all, std::string_view name) {
  std::vector<std::string> found;
  for (const header& h : all) {
    if (h.name == name) found.push_back(h.value);
  }
  return found;
}
std::vector<std::string> words_of(const headers& all, std::string_view name) {
  std::vector<std::string> found;
  for (const std::string& value : values_of(all, name)) {
    std::string_view left = value;
    while (!left.empty()) {
      const size_t comma = std::min(left.find(','), left.size());
      const std::string word = in_small_letters(trimmed(left.substr(0, comma)));
      if (!word.empty()) found.push_back(word);
      left.remove_prefix(std::min(comma + 1, left.size()));
    }
  }
  return found;
}
bool has_word(const headers& all, std::string_view name, std::string_view word) {
  const std::vector<std::string> words = words_of(all, name);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::string> read_body(bytes& from, const headers& all, bool is_one_zero) {
  const std::vector<std::string> lengths = values_of(all, "content-length");
  if (!values_of(all, "transfer-encoding").empty()) {
    const bool is_plain = lengths.empty() && !is_one_zero;
    if (!is_plain || words_of(all, "transfer-encoding") != std::vector<std::string>{"chunked"}) return std::nullopt;
    return read_chunks(from);
  }
  if (lengths.empty()) return "";
  const auto length = lengths.size() == 1 ? number_of(lengths[0], 10) : std::nullopt;
  const auto body = length ? from.take(*length) : std::nullopt;
  return body ? std::optional(std::string(*body)) : std::nullopt;
}

bool is_token(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), is_token_character);
}
std::string in_small_letters(std::string_view s) {
  std::string all(s);
  std::transform(all.begin(), all.end(), all.begin(), lower);
  return all;
}
std::optional<uint64_t> number_of(std::string_view s, unsigned base) {
  uint64_t n = 0;
  if (s.empty()) return std::nullopt;
  for (const char c : s) {
    const size_t digit = std::string_view("0123456789abcdef").find(lower(c));
    if (digit >= base || n >> 56 != 0) return std::nullopt;
    n = n * base + digit;
  }
  return n;
}

}  // namespace http_fuzz
