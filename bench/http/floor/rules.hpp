// SPDX-License-Identifier: MIT
#pragma once

#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The floor of `beast_http_server`: the same limits and rules on plain Beast, without Baton.
namespace http_floor {

namespace http = boost::beast::http;
using text = std::string_view;

/// As `baton::components::http_limits`.
struct limits {
  uint32_t connections = 256;
  uint32_t connections_per_peer = 128;
  uint32_t header_bytes = 8192;
  uint64_t body_bytes = 1u << 20;
  std::chrono::milliseconds idle_time{60000};
  std::chrono::milliseconds reading_time{10000};
  std::chrono::milliseconds answering_time{30000};
  std::chrono::milliseconds writing_time{10000};
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
};

/// The decision about the head of a request. `status` 0: it is answered.
struct verdict {
  unsigned status = 0;
  bool keeps = false;
  bool expects = false;  // 100 Continue
  bool has_coding = false;
  bool is_absolute = false;
  text target;
  text host;
};

inline text view(boost::beast::string_view s) noexcept {
  return {s.data(), s.size()};
}
inline bool is_same(text a, text b) noexcept {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}
inline bool is_digits(text s) noexcept {
  return !s.empty() && s.find_first_not_of("0123456789") == text::npos;
}

/// The end of the name in "name:port" or "[address]:port"; npos: it is no host.
inline size_t name_end(text host) noexcept {
  size_t end = host.find(':');
  if (host.starts_with('[')) {
    end = host.find(']');
    if (end == text::npos) return end;
    ++end;
  }
  if (end == text::npos) end = host.size();
  if (end == 0) return text::npos;
  const text port = host.substr(end);
  const bool is_port = port.empty() || port == ":" || (port[0] == ':' && port.size() <= 6 && is_digits(port.substr(1)));
  return is_port ? end : text::npos;
}
inline bool is_alphanumeric(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
inline bool is_host(text host) noexcept {
  const size_t end = name_end(host);
  if (end == text::npos) return false;
  const text more = host[0] == '[' ? "[]:.%-" : "-._~!$&'()*+,;=%";
  for (const char c : host.substr(0, end)) {
    if (!is_alphanumeric(c) && more.find(c) == text::npos) return false;
  }
  return true;
}
inline bool is_loopback(text host) noexcept {
  const text name = host.substr(0, name_end(host));
  return name == "127.0.0.1" || name == "[::1]" || is_same(name, "localhost");
}
inline bool is_own(text host, const std::vector<std::string>& hosts) noexcept {
  for (const std::string& one : hosts) {
    if (one == "*" || is_same(one, host)) return true;
    if (name_end(one) == one.size() && is_same(one, host.substr(0, name_end(host)))) return true;
  }
  return hosts.empty() && is_loopback(host);
}
inline bool is_welcome(text origin, text host, const std::vector<std::string>& origins) noexcept {
  for (const std::string& one : origins) {
    if (one == "*" || one == origin) return true;
  }
  const size_t scheme = origin.find("://");
  if (scheme == text::npos) return false;
  const text of = origin.substr(scheme + 3);
  return is_same(of, host) || (origins.empty() && is_host(of) && is_loopback(of));
}

/// Splits the target: an absolute one has the host that counts. False: it is none.
inline bool split(text method, text target, verdict& to) noexcept {
  if (target.empty()) return false;
  for (const char c : target) {
    if (c <= ' ' || c >= 127 || c == '#') return false;
  }
  to.target = target;
  if (target == "*") return method == "OPTIONS";
  if (target.front() == '/') return true;
  const size_t scheme = target.find("://");
  if (scheme == text::npos) return false;
  if (!is_same(target.substr(0, scheme), "http") && !is_same(target.substr(0, scheme), "https")) return false;
  const text rest = target.substr(scheme + 3);
  const size_t end = rest.find_first_of("/?");
  to.is_absolute = true;
  to.host = rest.substr(0, end);
  to.target = end != text::npos ? rest.substr(end) : text(method == "OPTIONS" ? "*" : "/");
  return !to.host.empty() && to.host.find('@') == text::npos;
}

/// The headers that decide, from one walk over all of them.
struct facts {
  explicit facts(const http::request_header<>& r) : keeps(r.version() >= 11) {
    for (const auto& f : r) note(f.name(), f.value());
  }

  void note(http::field name, boost::beast::string_view value) {
    switch (name) {
      case http::field::host:
        if (hosts++ == 0) host = view(value);
        return;
      case http::field::content_length:
        ++lengths;
        is_plain = is_plain && lengths == 1 && is_digits(view(value));
        return;
      case http::field::transfer_encoding:
        has_coding = true;
        for (const auto& coding : http::token_list(value)) note_coding(view(coding));
        return;
      case http::field::connection:
        for (const auto& word : http::token_list(value)) {
          keeps = keeps || is_same(view(word), "keep-alive");
          closes = closes || is_same(view(word), "close");
        }
        return;
      case http::field::expect:
        if (!expects) expectation = view(value);
        expects = true;
        return;
      case http::field::origin:
        if (origins++ == 0) origin = view(value);
        return;
      case http::field::upgrade:
        upgrades = true;
        return;
      default:
        return;
    }
  }
  void note_coding(text coding) {
    is_last_chunked = is_same(coding, "chunked");
    ++codings;
    chunked += is_last_chunked ? 1 : 0;
  }

  unsigned hosts = 0;
  unsigned lengths = 0;
  unsigned origins = 0;
  unsigned codings = 0;
  unsigned chunked = 0;
  bool is_plain = true;
  bool has_coding = false;
  bool is_last_chunked = false;
  bool keeps;
  bool closes = false;
  bool expects = false;
  bool upgrades = false;
  text host;
  text origin;
  text expectation;
};

/// The status for a head whose framing is refused; 0: it is not.
inline unsigned framing_fault(const facts& of, unsigned version) noexcept {
  if (!of.is_plain) return 400;
  if (of.has_coding) {
    const bool has_end = of.chunked == 1 && of.is_last_chunked;
    if (!has_end || version < 11 || of.lengths != 0) return 400;
    if (of.codings != 1) return 501;
  }
  return version == 11 && of.expects && !is_same(of.expectation, "100-continue") ? 417 : 0;
}

inline unsigned fault_of(const facts& of, const http::request_header<>& r, const limits& l, verdict& to) {
  if (of.hosts > 1 || (of.hosts == 0 && r.version() == 11)) return 400;
  if (!of.host.empty() && !is_host(of.host)) return 400;
  if (const unsigned status = framing_fault(of, r.version())) return status;
  const http::verb method = r.method();
  if (method == http::verb::connect) return 501;
  to.host = of.host;
  if (!split(view(r.method_string()), view(r.target()), to)) return 400;
  if (of.hosts != 0 && to.is_absolute && !is_host(to.host)) return 400;
  if ((of.hosts != 0 || !to.host.empty()) && !is_own(to.host, l.hosts)) return 421;
  if (of.origins > 1) return 400;
  const bool is_safe = method == http::verb::get || method == http::verb::head || method == http::verb::options ||
                       method == http::verb::trace;
  return of.origins == 1 && (!is_safe || of.upgrades) && !is_welcome(of.origin, to.host, l.origins) ? 403 : 0;
}

/// Source   RFC 9112 and RFC 9110, as in docs/http-rules.md.
inline verdict judge(const http::request_header<>& r, const limits& l) {
  const facts of(r);
  verdict to;
  to.status = fault_of(of, r, l, to);
  to.keeps = of.keeps && !of.closes;
  to.expects = of.expects && r.version() == 11;
  to.has_coding = of.has_coding;
  return to;
}

}  // namespace http_floor
