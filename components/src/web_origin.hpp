// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "http_text.hpp"

/// The names of a server, and the pages that it listens to.
namespace baton::BATON_VARIANT::components::detail {

/// The end of the host's name in "name:port" or "[address]:port"; npos: there is no name, or no
/// port behind the colon.
inline size_t end_of_name(std::string_view host) noexcept {
  const bool is_address = host.starts_with('[');
  size_t end = is_address ? host.find(']') : host.find(':');
  if (is_address) {
    if (end == std::string_view::npos) return end;
    ++end;
  }
  if (end == std::string_view::npos) end = host.size();
  if (end == 0) return std::string_view::npos;
  const std::string_view port = host.substr(end);
  const bool has_valid_port =
      port.empty() || (port[0] == ':' && port.size() <= 6 && (port == ":" || is_number(port.substr(1))));
  return has_valid_port ? end : std::string_view::npos;
}

/// True for the value of a header `Host`.
/// Source   RFC 9110, 7.2; RFC 3986, 3.2.
inline bool is_host(std::string_view host) noexcept {
  const size_t end = end_of_name(host);
  if (end == std::string_view::npos) return false;
  const std::string_view more = host[0] == '[' ? "[]:.%-" : "-._~!$&'()*+,;=%";
  for (const char c : host.substr(0, end)) {
    const bool is_letter = (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
    if (!is_letter && more.find(c) == std::string_view::npos) return false;
  }
  return true;
}

inline bool is_loopback_name(std::string_view host) noexcept {
  const std::string_view name = host.substr(0, end_of_name(host));
  return name == "127.0.0.1" || name == "[::1]" || is_same_name(name, "localhost");
}

/// True if a server that has these names answers for a host; the loopback interface's names if it
/// has none.
inline bool is_own(std::string_view host, const std::vector<std::string>& hosts) noexcept {
  for (const std::string& one : hosts) {
    if (one == "*" || is_same_name(one, host)) return true;
    const bool has_port = end_of_name(one) != one.size();
    if (!has_port && is_same_name(one, host.substr(0, end_of_name(host)))) return true;
  }
  return hosts.empty() && is_loopback_name(host);
}

/// True if an origin, as "http://localhost:8080", is this machine's loopback interface.
inline bool is_of_loopback(std::string_view origin) noexcept {
  const size_t scheme = origin.find("://");
  return scheme != std::string_view::npos && is_host(origin.substr(scheme + 3)) &&
         is_loopback_name(origin.substr(scheme + 3));
}

/// True if a page of this origin may connect. Null: the client is not a browser, and may.
///
/// Source   RFC 6455, 10.2: any page can have a browser connect to this machine, so the server
///          checks the page's origin.
inline bool is_welcome(const std::string* origin, const std::vector<std::string>& origins) {
  if (!origin) return true;
  for (const std::string& one : origins) {
    if (one == "*" || one == *origin) return true;
  }
  return origins.empty() && is_of_loopback(*origin);
}

/// The same for a request to a host that is the server's: its own pages are welcome, too.
inline bool is_welcome_at(std::string_view host, const std::string* origin, const std::vector<std::string>& origins) {
  if (is_welcome(origin, origins)) return true;
  const std::string_view all = *origin;
  const size_t scheme = all.find("://");
  return scheme != std::string_view::npos && is_same_name(all.substr(scheme + 3), host);
}

}  // namespace baton::BATON_VARIANT::components::detail
