// SPDX-License-Identifier: MIT
#pragma once

#include "beast_http.hpp"
#include "http_text.hpp"

/// The rules about the borders of messages that Beast leaves to its user. A server and a proxy in
/// front of it that disagree about a border take the rest of one request for another.
/// Source   RFC 9112, 6; the table of rules is in docs/http-rules.md.
namespace baton::BATON_VARIANT::components::detail {

inline std::string_view view_of(boost::beast::string_view s) noexcept {
  return {s.data(), s.size()};
}

/// The headers of a message that decide, from one walk over all of them: Beast compares names in
/// each look-up, and there would be a dozen.
///
/// Shape    parts of the fields.
struct head_facts {
  struct header {
    size_t count = 0;
    std::string_view first;
  };

  template <typename Fields>
  explicit head_facts(const Fields& fields) {
    for (const auto& f : fields) {
      header* const one = find(f.name());
      if (one && one->count++ == 0) one->first = view_of(f.value());
    }
  }

  header host;
  header length;
  header coding;
  header connection;
  header expect;
  header origin;
  header upgrade;

 private:
  header* find(http::field name) noexcept {
    switch (name) {
      case http::field::host:
        return &host;
      case http::field::content_length:
        return &length;
      case http::field::transfer_encoding:
        return &coding;
      case http::field::connection:
        return &connection;
      case http::field::expect:
        return &expect;
      case http::field::origin:
        return &origin;
      case http::field::upgrade:
        return &upgrade;
      default:
        return nullptr;
    }
  }
};

/// The transfer codings of a message: `none`; `chunked` alone; `unknown`: others before it, which
/// nothing here decodes; `endless`: `chunked` is not the last one, or stands there twice.
enum class coding : uint8_t { none, chunked, unknown, endless };

template <typename Fields>
coding coding_of(const Fields& fields) {
  size_t codings = 0;
  size_t chunked = 0;
  bool is_last_chunked = false;
  const auto range = fields.equal_range(http::field::transfer_encoding);
  if (range.first == range.second) return coding::none;
  for (auto at = range.first; at != range.second; ++at) {
    std::string_view left = view_of(at->value());
    while (!left.empty()) {
      const size_t comma = left.find(',');
      const std::string_view one = trimmed(left.substr(0, comma));
      left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
      if (one.empty()) continue;
      is_last_chunked = is_same_name(one, "chunked");
      ++codings;
      chunked += is_last_chunked ? 1 : 0;
    }
  }
  if (chunked != 1 || !is_last_chunked) return coding::endless;
  return codings == 1 ? coding::chunked : coding::unknown;
}

/// True unless the length is given in a way that others may read otherwise: twice, as a list, or
/// with anything but digits.
inline bool has_plain_length(const head_facts& facts) noexcept {
  return facts.length.count == 0 || (facts.length.count == 1 && is_number(facts.length.first));
}

/// The status code with which a request is refused for its framing; 0: it is not.
inline uint16_t framing_fault_of(const http::request<http::string_body>& r, const head_facts& facts) {
  if (!has_plain_length(facts)) return 400;
  const coding how = facts.coding.count == 0 ? coding::none : coding_of(r);
  // In HTTP/1.0 there are no codings: whoever passed it on may not have understood it.
  if (how == coding::endless || (how != coding::none && r.version() < 11)) return 400;
  if (how != coding::none && facts.length.count != 0) return 400;
  if (how == coding::unknown) return 501;
  const bool expects = r.version() == 11 && facts.expect.count != 0;
  return expects && !is_same_name(facts.expect.first, "100-continue") ? 417 : 0;
}

/// The reason to refuse an answer for its framing; empty: there is none.
inline const char* framing_fault_of(const http::response<http::string_body>& r) {
  const head_facts facts(r);
  if (!has_plain_length(facts)) return "the length is not plain";
  const coding how = coding_of(r);
  if (how == coding::endless || how == coding::unknown) return "the transfer coding is unknown";
  return how == coding::chunked && (r.version() < 11 || facts.length.count != 0) ? "the length is ambiguous" : "";
}

/// True if the client wants the connection to go on. Each header `Connection` counts, and `close`
/// before `keep-alive`.
/// Source   RFC 9112, 9.3.
template <typename Fields>
bool keeps_connection(const Fields& fields, unsigned version) {
  bool keeps = version >= 11;
  bool closes = false;
  const auto range = fields.equal_range(http::field::connection);
  for (auto at = range.first; at != range.second; ++at) {
    http::token_list words(at->value());
    keeps = keeps || words.exists("keep-alive");
    closes = closes || words.exists("close");
  }
  return keeps && !closes;
}

/// Refuses a chunk whose extension has a control character. Beast takes a quoted LF, which others
/// take for the end of the chunk's line: for them the body begins there.
/// Source   RFC 9112, 7.1.1.
inline void check_chunk(uint64_t, boost::beast::string_view extension, boost::system::error_code& e) {
  if (!is_field_value(view_of(extension))) e = http::error::bad_chunk_extension;
}

/// The path and query, and the host that is asked for.
///
/// Shape    a target may be absolute, as it is for a proxy: then its host counts, and not that of
///          the header. `path` is "*" for a question about the server itself.
/// Source   RFC 9112, 3.2.
struct asked {
  bool is_valid = false;
  std::string_view path;
  std::string_view host;
};

inline asked asked_of(std::string_view method, std::string_view target, std::string_view host_header) {
  if (!is_target(target) || method == "CONNECT") return {};
  if (target == "*") return {method == "OPTIONS", target, host_header};
  if (target.front() == '/') return {true, target, host_header};
  const size_t scheme = target.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::string_view name = target.substr(0, scheme);
  if (!is_same_name(name, "http") && !is_same_name(name, "https")) return {};
  const std::string_view rest = target.substr(scheme + 3);
  const size_t end = rest.find_first_of("/?");
  const std::string_view host = rest.substr(0, end);
  if (host.empty() || host.find('@') != std::string_view::npos) return {};
  if (end == std::string_view::npos) return {true, method == "OPTIONS" ? "*" : "/", host};
  return {true, rest.substr(end), host};
}

}  // namespace baton::BATON_VARIANT::components::detail
