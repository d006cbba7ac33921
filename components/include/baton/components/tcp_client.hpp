// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_connection.hpp>
#include <baton/components/tcp_place.hpp>
#include <memory>

namespace baton::BATON_VARIANT::components {

/// A connection, or why there is none: `timed_out`, `cancelled`, or `closed`, which `why` names.
struct tcp_opened {
  explicit operator bool() const noexcept { return connection != nullptr; }
  std::unique_ptr<tcp_connection> connection;
  status ended = status::ok;
  std::string why;
};

/// Connects to servers. The interface: `asio_tcp_client` is one.
///
///     tcp_opened server = co_await client->connect(tcp_place(7000));
///
/// Context  its worker's thread; the coroutine is its caller's. A connection may outlive the client, but not the poller.
class tcp_client {
 public:
  tcp_client(const tcp_client&) = delete;
  tcp_client& operator=(const tcp_client&) = delete;
  virtual ~tcp_client() = default;

  /// Waits for a connection to an address, or to one of those that a name has.
  virtual async::task<tcp_opened> connect(tcp_place to) = 0;

 protected:
  tcp_client() = default;
};

}  // namespace baton::BATON_VARIANT::components
