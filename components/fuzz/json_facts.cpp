// SPDX-License-Identifier: MIT
#include "json_facts.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace json_fuzz {

namespace {

bool is_of_number(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

void note_number(const std::string& word, text_facts& facts) {
  const size_t mark = word.find_first_of("eE");
  const double value = std::strtod(word.c_str(), nullptr);
  if (std::abs(value) > 1e307) facts.has_far_number = true;
  if (std::abs(std::strtod(word.substr(0, mark).c_str(), nullptr)) > 1e307) facts.has_far_mantissa = true;
  if (mark != std::string::npos) {
    const long long exponent = std::strtoll(word.c_str() + mark + 1, nullptr, 10);  // at its ends if it has more bits
    if (exponent > 308) facts.has_large_exponent = true;
    if (exponent > 100000000 || exponent < -100000000) facts.has_long_exponent = true;  // Boost adds to it
  } else if (word.find('.') == std::string::npos) {
    uint64_t natural = 0;
    int64_t negative = 0;
    const char* const end = word.data() + word.size();
    const bool fits = std::from_chars(word.data(), end, natural).ec == std::errc() ||
                      std::from_chars(word.data(), end, negative).ec == std::errc();
    if (!fits) facts.has_long_integer = true;
  }
}

/// A string without its escapes of ASCII characters: two spellings of one name are the same.
std::string plain(std::string_view quoted) {
  std::string all;
  for (size_t i = 0; i < quoted.size(); ++i) {
    if (quoted.substr(i, 2) == "\\u" && i + 6 <= quoted.size()) {
      all += static_cast<char>(std::strtol(std::string(quoted.substr(i + 2, 4)).c_str(), nullptr, 16));
      i += 5;
    } else if (quoted[i] != '\\') {
      all += quoted[i];
    }
  }
  return all;
}

/// The end of the string that begins at `at`.
size_t end_of_string(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at, text.size());
}

}  // namespace

text_facts facts_of(std::string_view text) {
  text_facts facts;
  std::vector<std::set<std::string>> names(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') {
      names.emplace_back();
    } else if ((text[i] == '}' || text[i] == ']') && names.size() > 1) {
      names.pop_back();
    } else if (text[i] == '"') {
      const size_t end = end_of_string(text, i);
      const size_t next = text.find_first_not_of(" \t\r\n", end + 1);
      if (next != std::string_view::npos && text[next] == ':' &&
          !names.back().insert(plain(text.substr(i + 1, end - i - 1))).second) {
        facts.has_one_twice = true;
      }
      i = end;
    } else if (is_of_number(text[i])) {
      const size_t from = i;
      while (i + 1 < text.size() && is_of_number(text[i + 1])) ++i;
      note_number(std::string(text.substr(from, i + 1 - from)), facts);
    }
  }
  return facts;
}

}  // namespace json_fuzz
