// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/components/websocket_server.hpp>

#include "beast_http.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The reason that a connection has ended.
enum class websocket_ending : uint8_t { none, closed, left, idle, not_taken, too_large, violated, stopped };

/// The request by which a connection becomes a WebSocket, in Beast's form and in the module's.
struct upgrade_request {
  http::request<http::empty_body> raw;
  http_request request;
  std::shared_ptr<route_target<websocket_handler>> to;
};

/// Answers an upgrade, and serves the WebSocket to its end. `drains` closes it with 1001. It is
/// compiled beside the WebSocket server, so that the HTTP server's source has no WebSocket in it.
async::task<websocket_ending> serve_upgrade(tcp_link l, upgrade_request r, websocket_limits limits,
                                            duration answering_time, async::manual_event& drains);

}  // namespace baton::BATON_VARIANT::components::detail
