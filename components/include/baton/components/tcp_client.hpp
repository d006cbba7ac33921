// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_connection.hpp>
#include <baton/components/tcp_place.hpp>
#include <memory>

namespace baton::BATON_VARIANT::components {

/// A connection, or the reason that there is none: `timed_out`, `cancelled`, or `closed`, which
/// `why` explains.
struct tcp_opened {
  explicit operator bool() const noexcept { return connection != nullptr; }
  std::unique_ptr<tcp_connection> connection;
  status ended = status::ok;
  std::string why;
};

/// Connects to servers. An interface; `asio_tcp_client` implements it.
///
///     tcp_opened server = co_await client->connect(tcp_place(7000));
///
/// Context  its worker's thread. The coroutine belongs to its caller. A connection may outlive the
///          client, but not the poller.
class tcp_client {
 public:
  tcp_client(const tcp_client&) = delete;
  tcp_client& operator=(const tcp_client&) = delete;
  virtual ~tcp_client() = default;

  /// Waits for a connection to an address, or to one of the addresses of a name.
  virtual async::task<tcp_opened> connect(tcp_place to) = 0;

 protected:
  tcp_client() = default;
};

}  // namespace baton::BATON_VARIANT::components
