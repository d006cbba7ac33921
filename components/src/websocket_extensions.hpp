// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http_text.hpp"

/// The words by which the two sides agree about compression. Beast looks at the first offer only,
/// answers one of the least window with a larger one, and takes any answer.
/// Source   RFC 6455, 4.1 and 9.1; RFC 7692, 5 and 7.1.
namespace baton::BATON_VARIANT::components::detail {

struct extension_parameter {
  std::string name;
  std::optional<std::string> value;
};
struct extension {
  std::string name;
  std::vector<extension_parameter> parameters;
};

/// Reads the value of the header.
class extension_reader {
 public:
  explicit extension_reader(std::string_view text) : left_(trimmed(text)) {}

  /// false: the text is no list of extensions.
  bool read(std::vector<extension>& to) {
    while (!left_.empty()) {
      if (take(',')) continue;
      extension one;
      if (!read_token(one.name)) return false;
      while (take(';')) {
        one.parameters.emplace_back();
        if (!read_parameter(one.parameters.back())) return false;
      }
      to.push_back(std::move(one));
      if (!left_.empty() && left_.front() != ',') return false;
    }
    return true;
  }

 private:
  bool take(char c) {
    if (left_.empty() || left_.front() != c) return false;
    left_ = trimmed(left_.substr(1));
    return true;
  }
  bool read_token(std::string& to) {
    size_t end = 0;
    while (end != left_.size() && is_token(left_.substr(end, 1))) ++end;
    to = left_.substr(0, end);
    left_ = trimmed(left_.substr(end));
    return end != 0;
  }
  bool read_parameter(extension_parameter& to) {
    if (!read_token(to.name)) return false;
    if (!take('=')) return true;
    to.value.emplace();
    // A quoted value has to be a token, too.
    const bool is_quoted = !left_.empty() && left_.front() == '"';
    if (is_quoted) left_.remove_prefix(1);
    return read_token(*to.value) && (!is_quoted || take('"'));
  }

  std::string_view left_;
};

/// A window's bits; 0: there is no such window.
inline int window_bits_of(const std::string& value) noexcept {
  if (value.size() == 1) return value == "8" || value == "9" ? value[0] - '0' : 0;
  const bool is_known = value.size() == 2 && value[0] == '1' && value[1] >= '0' && value[1] <= '5';
  return is_known ? 10 + value[1] - '0' : 0;
}

/// True if this is compression, with parameters that are known, and each at most once.
inline bool is_sound_deflate(const extension& e, bool is_offer) {
  if (e.name != "permessage-deflate") return false;
  for (const extension_parameter& p : e.parameters) {
    size_t count = 0;
    for (const extension_parameter& other : e.parameters) count += other.name == p.name ? 1 : 0;
    if (count != 1) return false;
    if (p.name == "server_no_context_takeover" || p.name == "client_no_context_takeover") {
      if (p.value) return false;
    } else if (p.name == "server_max_window_bits" || p.name == "client_max_window_bits") {
      const bool may_be_bare = is_offer && p.name == "client_max_window_bits";
      if (p.value ? window_bits_of(*p.value) == 0 : !may_be_bare) return false;
    } else {
      return false;
    }
  }
  return true;
}

/// True if the server can keep to an offer. Its smallest window has 9 bits.
inline bool can_be_kept(const extension& offer) {
  if (!is_sound_deflate(offer, true)) return false;
  for (const extension_parameter& p : offer.parameters) {
    if (p.name == "server_max_window_bits" && window_bits_of(*p.value) < 9) return false;
  }
  return true;
}

/// The first of a client's offers that the server can keep; empty: there is none.
inline std::string offer_to_keep(std::string_view offers) {
  std::vector<extension> all;
  if (!extension_reader(offers).read(all)) return {};
  for (const extension& one : all) {
    if (!can_be_kept(one)) continue;
    std::string text = one.name;
    for (const extension_parameter& p : one.parameters) text += "; " + p.name + (p.value ? "=" + *p.value : "");
    return text;
  }
  return {};
}

/// True if a server's answer is one to the client's offer, which leaves all windows open.
inline bool is_answer_to_offer(std::string_view answer, bool has_offered) {
  std::vector<extension> all;
  if (!extension_reader(answer).read(all) || all.size() > 1) return false;
  return all.empty() || (has_offered && is_sound_deflate(all[0], false));
}

}  // namespace baton::BATON_VARIANT::components::detail
