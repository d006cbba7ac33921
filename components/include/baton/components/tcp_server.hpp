// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_connection.hpp>
#include <functional>

namespace baton::BATON_VARIANT::components {

/// What clients may cost a TCP server.
struct tcp_limits {
  uint32_t connections = 256;  ///< at once; further ones are closed
  tcp_times times;
};

/// What became of connections: `connections` is `open`, `ended` and `failed`.
struct tcp_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;  ///< closed at once: there were too many. Not among the connections.
  uint64_t open = 0;
  uint64_t ended = 0;   ///< their coroutine has returned
  uint64_t failed = 0;  ///< it threw
};

/// A coroutine that serves a connection, which is closed when it ends.
using tcp_handler = std::function<async::task<>(tcp_connection&)>;

/// Serves each connection with a coroutine. The interface: `asio_tcp_server` is one.
///
/// Context  its worker's thread. Its stop ends the waits of all connections with `cancelled`, and it is gone when their coroutines have ended.
class tcp_server {
 public:
  tcp_server(const tcp_server&) = delete;
  tcp_server& operator=(const tcp_server&) = delete;
  virtual ~tcp_server() = default;

  /// Where it listens.
  virtual uint16_t port() const = 0;
  virtual tcp_counters counters() const = 0;

 protected:
  tcp_server() = default;
};

}  // namespace baton::BATON_VARIANT::components
