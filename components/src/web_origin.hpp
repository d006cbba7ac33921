// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace baton::BATON_VARIANT::components::detail {

/// True if an origin, as "http://localhost:8080", is this machine's loopback interface.
inline bool is_of_loopback(std::string_view origin) {
  const size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  std::string_view host = origin.substr(scheme + 3);
  const size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (host.starts_with('[') && end == std::string_view::npos) return false;
  host = host.starts_with('[') ? host.substr(0, end + 1) : host.substr(0, end);
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
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

}  // namespace baton::BATON_VARIANT::components::detail
