// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/snapshot.hpp>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components::detail {

/// Escapes a text for HTML.
inline std::string html_of(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '<') {
      all += "&lt;";
    } else if (c == '>') {
      all += "&gt;";
    } else if (c == '&') {
      all += "&amp;";
    } else if (c == '"') {
      all += "&quot;";
    } else {
      all += c;
    }
  }
  return all;
}

/// The place of a service in a page.
inline std::string anchor_of(size_t worker, const service::service_snapshot& s) {
  return "s" + std::to_string(worker) + '-' + std::to_string(s.id.number);
}

}  // namespace baton::BATON_VARIANT::components::detail
