// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <cstdint>

namespace baton::BATON_VARIANT::components {

/// What a client may cost an HTTP server.
struct http_limits {
  uint32_t connections = 256;         ///< at once; further ones are closed
  uint32_t header_bytes = 8192;       ///< of the first line and the headers; more is answered with 431
  uint64_t body_bytes = 1u << 20;     ///< more is answered with 413
  tick idle_time = seconds(60);       ///< between two requests; then the connection is closed
  tick reading_time = seconds(10);    ///< from a request's first byte to its last; later is answered with 408
  tick answering_time = seconds(30);  ///< for a route's coroutine, which is stopped then, and the answer is 503
  tick writing_time = seconds(10);    ///< for a client to take its answer; then the connection is closed
};

/// What became of connections and requests.
///
/// Shape    `connections` is `open` and the ends. `requests` is `answered`, and what could not be, up to `too_late`, and those that are being answered.
struct http_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;  ///< closed at once: there were too many. Not among the connections.
  uint64_t open = 0;

  uint64_t requests = 0;     ///< that were read to their end
  uint64_t answered = 0;     ///< by a route
  uint64_t not_found = 0;    ///< 404
  uint64_t not_allowed = 0;  ///< 405
  uint64_t failed = 0;       ///< 500: the route threw, or gave what is no response
  uint64_t unavailable = 0;  ///< 503: its service is not active, or was stopped meanwhile
  uint64_t too_late = 0;     ///< 503: the route took too long

  // The ends of connections.
  uint64_t left = 0;              ///< the client hung up, or did not take its answer
  uint64_t closed = 0;            ///< after an answer, as the client wished
  uint64_t idle = 0;              ///< no further request came
  uint64_t stopped = 0;           ///< by the service's stop
  uint64_t malformed = 0;         ///< 400
  uint64_t too_slow = 0;          ///< 408
  uint64_t body_too_large = 0;    ///< 413
  uint64_t header_too_large = 0;  ///< 431

  uint64_t ends() const noexcept {
    return left + closed + idle + stopped + malformed + too_slow + body_too_large + header_too_large;
  }
  uint64_t answers() const noexcept { return answered + not_found + not_allowed + failed + unavailable + too_late; }
};

}  // namespace baton::BATON_VARIANT::components
