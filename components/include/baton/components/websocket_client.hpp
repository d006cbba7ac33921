// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_message.hpp>
#include <baton/components/tcp_place.hpp>
#include <baton/components/websocket.hpp>
#include <memory>

namespace baton::BATON_VARIANT::components {

/// A connection, or the reason that there is none: `timed_out`, `cancelled`, or `closed`, which
/// `why` explains.
struct websocket_opened {
  explicit operator bool() const noexcept { return connection != nullptr; }
  std::unique_ptr<websocket> connection;
  status ended = status::ok;
  std::string why;
};

/// Opens WebSockets. An interface; `beast_websocket_client` implements it.
///
///     websocket_opened server = co_await client->connect(tcp_place(7000), "/parrot");
///
/// Context  its worker's thread. The coroutine belongs to its caller. A connection may outlive the
///          client, but not the poller. If it is destroyed without a close, the other side sees
///          `peer_gone`.
class websocket_client {
 public:
  websocket_client(const websocket_client&) = delete;
  websocket_client& operator=(const websocket_client&) = delete;
  virtual ~websocket_client() = default;

  /// Waits until a connection to an address, or to one of the addresses of a name, is opened for a
  /// target, as "/room?name=a".
  virtual async::task<websocket_opened> connect(tcp_place to, std::string target,
                                                std::vector<http_header> headers = {}) = 0;

 protected:
  websocket_client() = default;
};

}  // namespace baton::BATON_VARIANT::components
