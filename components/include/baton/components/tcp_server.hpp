// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_connection.hpp>
#include <functional>

namespace baton::BATON_VARIANT::components {

/// The limits of a TCP server on its clients.
///
/// Shape    when all `connections` are taken, or a client's address has its share, a new connection
///          takes the place of one that waits for bytes: the one that has waited longest, of the
///          address with the most connections. The waits of that one end with `closed`. Where none
///          waits, the new one is closed.
struct tcp_limits {
  uint32_t connections = 256;           ///< at once
  uint32_t connections_per_peer = 128;  ///< of one address
  /// false: a connection keeps its place as long as it is open, and the new one is closed. That is
  /// for a protocol whose clients are silent for long and cannot connect anew. It is on by default,
  /// because silent sockets would otherwise keep all others out, and they cost nothing.
  bool idle_gives_way = true;
  tcp_times times;
  duration handshake_time = 10_s;  ///< of TLS
};

/// Counts of connections. `connections` is the sum of `open` and of those below it.
struct tcp_counters {
  uint64_t connections = 0;
  uint64_t turned_away = 0;   ///< closed at once, because there were too many; not among the connections
  uint64_t not_accepted = 0;  ///< failures to accept one, for want of descriptors or memory; told, and tried again
  uint64_t open = 0;
  uint64_t ended = 0;             ///< their handler has returned
  uint64_t released = 0;          ///< their handler has returned after they gave way to another
  uint64_t failed = 0;            ///< their handler threw
  uint64_t handshake_failed = 0;  ///< of TLS; no handler has begun
};

/// A coroutine that serves a connection, which is closed when the coroutine ends.
using tcp_handler = std::function<async::task<>(tcp_connection&)>;

/// Serves each connection with a coroutine. An interface; `asio_tcp_server` implements it.
///
/// Context  its worker's thread. The server's stop ends the waits of all connections with
///          `cancelled`, and waits for their coroutines.
class tcp_server {
 public:
  tcp_server(const tcp_server&) = delete;
  tcp_server& operator=(const tcp_server&) = delete;
  virtual ~tcp_server() = default;

  /// The port that the server listens at.
  virtual uint16_t port() const = 0;
  virtual tcp_counters counters() const = 0;

 protected:
  tcp_server() = default;
};

}  // namespace baton::BATON_VARIANT::components
