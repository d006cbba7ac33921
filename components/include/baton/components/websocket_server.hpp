// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/routes.hpp>
#include <baton/components/websocket.hpp>
#include <functional>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// A coroutine that serves a connection, which is closed with 1000 when it returns, and with 1011 when it throws.
using websocket_handler = std::function<async::task<>(websocket&)>;

/// While this lives, a server has the path. A coroutine that has begun goes on to its end.
using websocket_route = basic_route<websocket_handler>;

/// What clients may cost a WebSocket server.
struct websocket_server_limits {
  uint32_t connections = 256;         ///< at once; further ones are closed
  uint32_t header_bytes = 8192;       ///< of the request that opens one; more is answered with 431
  tick handshake_time = seconds(10);  ///< from the connection to the answer of that request; later is answered with 408
  websocket_limits each;              ///< what is opened
  /// Whose pages may connect, as "http://example.org:8080"; "*": all. None: those of this machine's loopback interface. A browser names the page, others
  /// name none and are not asked.
  std::vector<std::string> origins;
};

/// What became of connections: `connections` is `open` and the ends.
struct websocket_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;  ///< closed at once: there were too many. Not among the connections.
  uint64_t open = 0;
  uint64_t accepted = 0;  ///< a handler has begun

  // The ends of those that were not accepted.
  uint64_t malformed = 0;         ///< 400, 426: it is no request for a WebSocket
  uint64_t header_too_large = 0;  ///< 431
  uint64_t too_slow = 0;          ///< 408
  uint64_t forbidden = 0;         ///< 403: the page of another
  uint64_t not_found = 0;         ///< 404
  uint64_t unavailable = 0;       ///< 503: the path's service is not active

  // The ends of those that were.
  uint64_t closed = 0;             ///< as it should be, by either side
  uint64_t idle = 0;               ///< it did not answer a ping
  uint64_t not_taken = 0;          ///< it did not take a message, or answer a close, in time
  uint64_t message_too_large = 0;  ///< 1009
  uint64_t violated = 0;           ///< 1002, 1007: what came is not WebSocket, or no UTF-8

  // Of both.
  uint64_t left = 0;     ///< it went without a word
  uint64_t stopped = 0;  ///< by the service's stop

  uint64_t failed = 0;  ///< handlers that threw; how the connection ended is counted above

  uint64_t ends() const noexcept {
    return malformed + header_too_large + too_slow + forbidden + not_found + unavailable + closed + idle + not_taken +
           message_too_large + violated + left + stopped;
  }
};

/// Serves WebSockets with coroutines of services. The interface: `beast_websocket_server` is one.
///
///     struct parrot {
///       parrot(required<websocket_server> s, context here) : path(s->route(here, "/parrot", repeat)) {}
///       static async::task<> repeat(websocket& to) {
///         while (const websocket_message m = co_await to.receive()) co_await to.send_text(m.data);
///       }
///       websocket_route path;
///     };
///
/// Context  its worker's thread. Its stop tells all clients that it goes (1001), and waits for none.
class websocket_server {
 public:
  websocket_server(const websocket_server&) = delete;
  websocket_server& operator=(const websocket_server&) = delete;
  virtual ~websocket_server() = default;

  /// For as long as the route lives, `handler` serves the connections for exactly this path.
  ///
  /// Context  the coroutine is `owner`'s: stopped and joined before its stop, and the client is told 1001. What it throws is no failure of the owner.
  ///          While the owner is not active the answer is 503.
  /// Errors   std::invalid_argument: what is no path, or there is such a route already.
  websocket_route route(service::context owner, std::string path, websocket_handler handler) {
    return websocket_route(routes_, "GET", std::move(path),
                           std::make_shared<detail::route_target<websocket_handler>>(owner, std::move(handler)));
  }

  /// Where it listens.
  virtual uint16_t port() const = 0;
  virtual websocket_counters counters() const = 0;

 protected:
  websocket_server() : routes_(std::make_shared<detail::route_table<websocket_handler>>()) {}
  const detail::route_table<websocket_handler>& routes() const noexcept { return *routes_; }

 private:
  std::shared_ptr<detail::route_table<websocket_handler>> routes_;
};

}  // namespace baton::BATON_VARIANT::components
