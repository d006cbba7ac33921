// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/websocket.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// The limits of an HTTP server on its clients, and the names under which it is asked.
///
/// Shape    when all `connections` are taken, or a client's address has its share, a new connection
///          takes the place of one that waits for a request, or that has not sent all of it: the
///          oldest of the address with the most connections. Where all are being answered, the new
///          one is answered with 503 and closed.
struct http_limits {
  uint32_t connections = 256;           ///< at once
  uint32_t connections_per_peer = 128;  ///< of one address; behind a proxy all have the proxy's
  uint32_t header_bytes = 8192;         ///< of the first line and the headers; 431 above
  uint64_t body_bytes = 1u << 20;       ///< 413 above; a `streamed_body` has limits of its own
  duration idle_time = 60_s;            ///< between two requests; then the connection is closed
  duration reading_time = 10_s;         ///< from a request's first byte to its last; 408 above
  duration answering_time = 30_s;       ///< for a route's coroutine; then it is stopped, and the answer is 503
  duration writing_time = 10_s;  ///< for a client to take its answer, or a piece of it; then the connection is closed
  duration draining_time = 2_s;  ///< for requests in flight when the program ends; then they are cut
  /// The names of the server, as "example.org" for any port, or "example.org:8080"; "*": all.
  /// Empty: those of the loopback interface. A request for another host is refused with 421:
  /// otherwise a page of any site, whose name its owner binds to this address, could read the
  /// answers.
  std::vector<std::string> hosts;
  /// The origins of pages that may change state (by other methods than GET, HEAD and OPTIONS) or
  /// open a WebSocket, as "http://example.org:8080"; "*": all. A page of the same host and port
  /// may. Empty: pages of the loopback interface may, too. Other pages are refused with 403; only
  /// browsers name an origin.
  std::vector<std::string> origins;
  websocket_limits websocket;  ///< of a connection that has become a WebSocket
};

/// Counts of connections and requests.
///
/// Shape    `connections` is the sum of `open` and the ends of connections. `requests` is the sum
///          of `answered`, the counters up to `abandoned`, and the requests that are being
///          answered.
struct http_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;   ///< 503 or closed at once, because there were too many; not among the connections
  uint64_t not_accepted = 0;  ///< failures to accept one, for want of descriptors or memory; told, and tried again
  uint64_t open = 0;

  uint64_t requests = 0;     ///< requests that were read to their end; those in pieces count when they are answered
  uint64_t answered = 0;     ///< by a route
  uint64_t not_found = 0;    ///< 404
  uint64_t not_allowed = 0;  ///< 405
  uint64_t failed = 0;       ///< 500: the route threw, or returned a response that cannot be sent
  uint64_t unavailable = 0;  ///< 503: the route's service is not active, or was stopped meanwhile
  uint64_t too_late = 0;     ///< 503: the route took too long
  uint64_t upgraded = 0;     ///< 101: the connection has become a WebSocket, whose end is the connection's
  uint64_t abandoned = 0;    ///< the client hung up, and the route was stopped before it had answered

  // The ends of connections.
  uint64_t left = 0;              ///< the client hung up, or did not read its answer
  uint64_t handshake_failed = 0;  ///< of TLS: it was refused, by either side, or took longer than `reading_time`
  uint64_t closed = 0;            ///< after an answer, as the client asked
  uint64_t idle = 0;              ///< no further request came
  uint64_t stopped = 0;           ///< by the service's stop
  uint64_t released = 0;          ///< it waited, and gave way to another, or the server drained
  uint64_t malformed = 0;         ///< 400, 417, 501, 505
  uint64_t misdirected = 0;       ///< 421: for a host that the server is not
  uint64_t forbidden = 0;         ///< 403: a page of another origin may not change state
  uint64_t too_slow = 0;          ///< 408
  uint64_t body_too_large = 0;    ///< 413
  uint64_t header_too_large = 0;  ///< 431

  uint64_t ends() const noexcept {
    return left + closed + idle + stopped + released + malformed + misdirected + forbidden + too_slow + body_too_large +
           header_too_large + handshake_failed;
  }
  uint64_t answers() const noexcept {
    return answered + not_found + not_allowed + failed + unavailable + too_late + upgraded + abandoned;
  }
};

}  // namespace baton::BATON_VARIANT::components
