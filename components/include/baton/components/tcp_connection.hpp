// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// The end of a read or a write, and the number of bytes that it moved.
///
/// Shape    `ok`; `timed_out`, by the connection's limits; `cancelled`, by a stop; `closed`: the
///          other side has hung up or cannot be reached. `truncated`, over TLS: the connection has
///          ended, and the other side has not said that it ends. Bytes may be missing.
struct tcp_result {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  size_t bytes = 0;
};

/// Limits on the time of a read and a write.
struct tcp_times {
  duration reading = 60_s;
  duration writing = 10_s;
};

/// A stream of bytes in each direction. An interface.
///
/// Context  its worker's thread. One coroutine reads at a time, and one writes. Their buffers have
///          to stay valid until they have ended.
class tcp_connection {
 public:
  tcp_connection(const tcp_connection&) = delete;
  tcp_connection& operator=(const tcp_connection&) = delete;
  virtual ~tcp_connection() = default;

  /// Waits for bytes: at least one, at most as many as fit.
  virtual async::task<tcp_result> read_some(std::span<char> to) = 0;
  /// Waits until the buffer is full.
  virtual async::task<tcp_result> read(std::span<char> to) = 0;
  /// Waits until the system has accepted all bytes. Over TLS, a write that does not end with `ok`
  /// ends the connection.
  virtual async::task<tcp_result> write(std::string_view what) = 0;
  /// Ends the stream to the other side, which can read to its end. Over TLS, a connection that a
  /// client destroys without it is `truncated` for the server.
  virtual void end_writing() = 0;
  /// The address of the other side, as in "127.0.0.1:80".
  virtual std::string peer() const = 0;

 protected:
  tcp_connection() = default;
};

}  // namespace baton::BATON_VARIANT::components
