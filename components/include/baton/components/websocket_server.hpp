// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/routes.hpp>
#include <baton/components/websocket.hpp>
#include <functional>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// A coroutine that serves a connection. The connection is closed with 1000 when it returns, and
/// with 1011 when it throws.
using websocket_handler = std::function<async::task<>(websocket&)>;

/// A path of a server, which the server has as long as this object lives. A coroutine of it that
/// has begun runs to its end.
using websocket_route = basic_route<websocket_handler>;

/// The limits of a WebSocket server on its clients.
///
/// Shape    when there is no place, a new connection takes the place of one that has not sent its
///          opening request, as `http_limits` says.
struct websocket_server_limits {
  uint32_t connections = 256;           ///< at once; further connections are closed
  uint32_t connections_per_peer = 128;  ///< of one address; behind a proxy all have the proxy's
  uint32_t header_bytes = 8192;         ///< of the opening request; 431 above
  duration handshake_time = 10_s;       ///< from the connection to the answer of the opening request; 408 above
  duration draining_time = 2_s;         ///< for the farewells when the program ends
  websocket_limits each;                ///< of an open connection
  /// The origins of pages that may connect, as "http://example.org:8080"; "*": all. Empty: pages of
  /// this machine's loopback interface. Only browsers name an origin; other clients are let in.
  std::vector<std::string> origins;
  /// The names of the server, as for `http_limits`; 421 for others.
  std::vector<std::string> hosts;
};

/// Counts of connections. `connections` is the sum of `open` and the ends of connections.
struct websocket_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;   ///< closed at once, because there were too many; not among the connections
  uint64_t not_accepted = 0;  ///< failures to accept one, for want of descriptors or memory; told, and tried again
  uint64_t open = 0;
  uint64_t accepted = 0;  ///< a handler has begun

  // Ends of connections that were not accepted.
  uint64_t handshake_failed = 0;  ///< of TLS: it was refused, by either side, or took longer than `handshake_time`
  uint64_t malformed = 0;         ///< 400, 426: the request is not for a WebSocket
  uint64_t header_too_large = 0;  ///< 431
  uint64_t too_slow = 0;          ///< 408
  uint64_t forbidden = 0;         ///< 403: the page's origin may not connect
  uint64_t misdirected = 0;       ///< 421: for a host that the server is not
  uint64_t released = 0;          ///< it had sent no opening request, and gave way to another
  uint64_t not_found = 0;         ///< 404
  uint64_t unavailable = 0;       ///< 503: the path's service is not active

  // Ends of accepted connections.
  uint64_t closed = 0;             ///< properly, by either side
  uint64_t idle = 0;               ///< it did not answer a ping
  uint64_t not_taken = 0;          ///< it did not read a message, or answer a close, in time
  uint64_t message_too_large = 0;  ///< 1009
  uint64_t violated = 0;           ///< 1002, 1007: the bytes are not WebSocket, not UTF-8, or do not inflate

  // Ends of either.
  uint64_t left = 0;     ///< it went without a close
  uint64_t stopped = 0;  ///< by the service's stop

  uint64_t failed = 0;  ///< handlers that threw; the end of the connection is counted above

  uint64_t ends() const noexcept {
    return handshake_failed + malformed + header_too_large + too_slow + forbidden + misdirected + released + not_found +
           unavailable + closed + idle + not_taken + message_too_large + violated + left + stopped;
  }
};

/// Serves WebSockets with coroutines of services. An interface; `beast_websocket_server` implements
/// it.
///
///     struct parrot {
///       parrot(required<websocket_server> s, context here)
///           : path(s->route(here, "/parrot", repeat)) {}
///       static async::task<> repeat(websocket& to) {
///         while (const websocket_message m = co_await to.receive()) co_await to.send_text(m.data);
///       }
///       websocket_route path;
///     };
///
/// Context  its worker's thread. The server's stop closes all connections with 1001, and does not
///          wait for answers.
class websocket_server {
 public:
  websocket_server(const websocket_server&) = delete;
  websocket_server& operator=(const websocket_server&) = delete;
  virtual ~websocket_server() = default;

  /// Lets `handler` serve the connections for exactly this path, as long as the route lives.
  ///
  /// Context  the coroutine belongs to `owner`, which stops and joins it before its own stop; the
  ///          client is closed with 1001. An exception of it is not a failure of the owner. While
  ///          the owner is not active the answer is 503.
  /// Errors   std::invalid_argument: the path is invalid, or has a route.
  websocket_route route(service::context owner, std::string path, websocket_handler handler) {
    return websocket_route(routes_, "GET", std::move(path),
                           std::make_shared<detail::route_target<websocket_handler>>(owner, std::move(handler)));
  }

  /// For co_await: accepts no further connection, closes those that are open with 1001, and waits
  /// until none is left, as `http_server::drain`.
  virtual async::task<status> drain(time_limit limit = forever) = 0;

  /// The port that the server listens at.
  virtual uint16_t port() const = 0;
  virtual websocket_counters counters() const = 0;

 protected:
  websocket_server() : routes_(std::make_shared<detail::route_table<websocket_handler>>()) {}
  const detail::route_table<websocket_handler>& routes() const noexcept { return *routes_; }

 private:
  std::shared_ptr<detail::route_table<websocket_handler>> routes_;
};

}  // namespace baton::BATON_VARIANT::components
