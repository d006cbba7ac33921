// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_message.hpp>
#include <baton/components/tcp_place.hpp>
#include <baton/components/websocket.hpp>
#include <memory>

namespace baton::BATON_VARIANT::components {

/// A connection, or why there is none: `timed_out`, `cancelled`, or `closed`, which `why` names.
struct websocket_opened {
  explicit operator bool() const noexcept { return connection != nullptr; }
  std::unique_ptr<websocket> connection;
  status ended = status::ok;
  std::string why;
};

/// Opens WebSockets. The interface: `beast_websocket_client` is one.
///
///     websocket_opened server = co_await client->connect(tcp_place(7000), "/parrot");
///
/// Context  its worker's thread; the coroutine is its caller's. A connection may outlive the client, but not the poller. One that goes without a close is just gone
///          for the other side.
class websocket_client {
 public:
  websocket_client(const websocket_client&) = delete;
  websocket_client& operator=(const websocket_client&) = delete;
  virtual ~websocket_client() = default;

  /// Waits for a connection to an address, or to one of those that a name has, to be opened for a target, as "/room?name=a".
  virtual async::task<websocket_opened> connect(tcp_place to, std::string target,
                                                std::vector<http_header> headers = {}) = 0;

 protected:
  websocket_client() = default;
};

}  // namespace baton::BATON_VARIANT::components
