// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/components/http_message.hpp>
#include <baton/components/tcp_place.hpp>

namespace baton::BATON_VARIANT::components {

/// The limits of an HTTP client on a server's answer.
struct http_client_limits {
  duration time = 30_s;            ///< from the name's resolution to the answer's last byte
  uint32_t header_bytes = 8192;    ///< of an answer
  uint64_t body_bytes = 1u << 20;  ///< of an answer
};

/// The end of a request.
struct http_reply {
  explicit http_reply(status s, std::string w = {}) : ended(s), why(std::move(w)) {}
  explicit http_reply(http_response r) : ended(status::ok), response(std::move(r)) {}
  explicit operator bool() const noexcept { return ended == status::ok; }

  /// `ok`: there is a response, of any status code from 200 on. `timed_out`, `cancelled`.
  /// `truncated`: the answer exceeds a limit. `no_right`: the request is not sent, because its
  /// method, target or a header is invalid, as one with a line end is. `closed`: anything else;
  /// `why` says it.
  status ended;
  std::string why;
  http_response response;
};

/// Sends requests to HTTP servers. An interface; `beast_http_client` implements it.
///
///     http_reply r = co_await client->get(tcp_place(80, "example.org"), "/");
///
/// Context  its worker's thread. The coroutine belongs to its caller, whose stop ends it with
///          `cancelled`.
class http_client {
 public:
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  virtual ~http_client() = default;

  /// Sends a request, and waits for the response.
  virtual async::task<http_reply> send(tcp_place to, http_request what) = 0;

  async::task<http_reply> get(tcp_place to, std::string target) {
    return send(std::move(to), http_request("GET", std::move(target)));
  }
  async::task<http_reply> post(tcp_place to, std::string target, std::string body,
                               std::string type = "text/plain; charset=utf-8") {
    http_request r("POST", std::move(target), std::move(body));
    r.headers.push_back({"Content-Type", std::move(type)});
    return send(std::move(to), std::move(r));
  }

 protected:
  http_client() = default;
};

}  // namespace baton::BATON_VARIANT::components
