// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/components/http_limits.hpp>

#include "http_framing.hpp"
#include "web_origin.hpp"

/// Decides about a request by its head.
namespace baton::BATON_VARIANT::components::detail {

using http_end = uint64_t http_counters::*;

/// The reason that a request is refused, its status code, and the request's target otherwise.
struct head_verdict {
  http_end why = nullptr;
  uint16_t status = 0;
  asked what;
};

inline bool is_safe(std::string_view method) noexcept {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE";
}

inline head_verdict judge(const http::request<http::string_body>& r, const head_facts& facts,
                          const http_limits& limits) {
  const head_verdict malformed{&http_counters::malformed, 400, {}};
  const size_t hosts = facts.host.count;
  if (hosts > 1 || (hosts == 0 && r.version() == 11)) return malformed;
  const std::string_view host = facts.host.first;
  if (!host.empty() && !is_host(host)) return malformed;
  const uint16_t fault = framing_fault_of(r, facts);
  if (fault != 0) return {&http_counters::malformed, fault, {}};
  const std::string_view method = view_of(r.method_string());
  if (method == "CONNECT") return {&http_counters::malformed, 501, {}};
  const asked what = asked_of(method, view_of(r.target()), host);
  if (!what.is_valid || (hosts != 0 && !what.host.empty() && !is_host(what.host))) return malformed;
  const bool names_host = hosts != 0 || !what.host.empty();
  if (names_host && !is_own(what.host, limits.hosts)) return {&http_counters::misdirected, 421, {}};
  if (facts.origin.count == 0) return {nullptr, 0, what};
  if (facts.origin.count > 1) return malformed;
  const std::string origin(facts.origin.first);
  const bool changes_state = !is_safe(method) || facts.upgrade.count != 0;
  if (changes_state && !is_welcome_at(what.host, &origin, limits.origins)) {
    return {&http_counters::forbidden, 403, {}};
  }
  return {nullptr, 0, what};
}

/// The end of a connection by an error of a request's reading.
inline http_end end_by(const boost::system::error_code& e) {
  if (e == status::cancelled) return &http_counters::stopped;
  if (e == status::timed_out) return &http_counters::too_slow;
  if (e == http::error::end_of_stream) return &http_counters::left;
  if (e == http::error::header_limit || e == http::error::buffer_overflow) return &http_counters::header_too_large;
  if (e == http::error::body_limit) return &http_counters::body_too_large;
  return e.category() == http::make_error_code(http::error::bad_method).category() ? &http_counters::malformed
                                                                                   : &http_counters::left;
}

/// The text for a status code with which a request is refused.
inline const char* words_for(uint16_t status) noexcept {
  switch (status) {
    case 403:
      return "A page of another origin may not do this.\n";
    case 408:
      return "The request came too slowly.\n";
    case 413:
      return "The request is too large.\n";
    case 417:
      return "This expectation is unknown.\n";
    case 421:
      return "This server does not answer for that host.\n";
    case 426:
      return "This is for a WebSocket.\n";
    case 431:
      return "The request's header is too large.\n";
    case 501:
      return "This is not implemented.\n";
    default:
      return "This is no request.\n";
  }
}

}  // namespace baton::BATON_VARIANT::components::detail
