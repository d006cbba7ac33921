// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_server.hpp>

/// Bodies of requests that a route reads in pieces.
namespace baton::BATON_VARIANT::components {

/// The limits of a route on the bodies of its requests.
struct http_body_limits {
  uint64_t bytes = 1u << 30;      ///< of a body; 413 above
  duration progress_time = 10_s;  ///< for `progress_bytes` more of a body for which the route waits; 408 above
  uint32_t progress_bytes = 1024;
  /// Of the rest after an early answer, read and dropped; above, the connection is closed.
  uint32_t unread_bytes = 65536;
};

/// The end of a request's body.
enum class http_body_end : uint8_t {
  none,       ///< there may be more
  whole,      ///< all of it has been read
  too_large,  ///< it is larger than `http_body_limits::bytes`
  malformed,  ///< its chunks are none
  too_slow,   ///< `progress_time` is over
  left,       ///< the client has gone within it
  stopped     ///< the connection needs no answer any more, or the server stops
};

/// A piece of a body, or the reason that there is none.
///
/// Shape    `ok`: some bytes, which are valid until the next read. `closed`: the body has ended, as
///          `http_body::end` says. `timed_out`, `cancelled`: no bytes have come yet, and the body
///          goes on.
struct http_piece {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  std::string_view bytes;
};

/// The body of a request, on its way from the client.
///
///     while (const http_piece p = co_await body.read()) size += p.bytes.size();
///     if (!body.is_whole()) co_return http_response(400);
///
/// Shape    the server holds at most a piece and `header_bytes` more; the rest waits at the client.
/// Context  the worker of the route, until the route's coroutine has returned.
class http_body {
 public:
  http_body(const http_body&) = delete;
  http_body& operator=(const http_body&) = delete;
  virtual ~http_body() = default;

  /// Waits for the next piece, at most for `limit`.
  ///
  /// Context  a client that sent `Expect: 100-continue` is told to go on by the first read. A read
  ///          that is stopped or times out loses no bytes: the next one has them. Later reads wait
  ///          for earlier ones.
  virtual async::task<http_piece> read(time_limit limit = forever) = 0;

  virtual http_body_end end() const noexcept = 0;
  bool is_whole() const noexcept { return end() == http_body_end::whole; }

 protected:
  http_body() = default;
};

/// A coroutine that answers a request, and reads its body. The request has no body of its own.
using http_body_handler = std::function<async::task<http_response>(http_request, http_body&)>;

/// A handler of a route that gets a request before its body has come:
///
///     upload(s->route(here, "PUT", "/files/{name}", streamed_body(store)))
///
/// Context  as any route's, but for this. `answering_time` begins anew at each read, and does not
///          run while one waits. A client that goes ends the read that waits for it, or else stops
///          the coroutine.
///          A body that is too large, malformed or too slow is answered with 413, 400 or 408 when
///          the coroutine has returned, whatever that returns.
///          An answer may come before the end of the body. The connection goes on if the rest has
///          come, or if its length is known and at most `unread_bytes`; else it is closed.
class streamed_body {
 public:
  explicit streamed_body(http_body_handler h, const http_body_limits& l = {}) : handler(std::move(h)), limits(l) {}

  http_body_handler handler;
  http_body_limits limits;
};

inline http_route http_server::route(service::context owner, std::string method, std::string path,
                                     const streamed_body& handler) {
  routes_->has_streamed = true;
  detail::http_way way{{}, std::make_shared<streamed_body>(handler)};
  return http_route(routes_, std::move(method), std::move(path),
                    std::make_shared<detail::http_target>(owner, std::move(way)));
}

}  // namespace baton::BATON_VARIANT::components
