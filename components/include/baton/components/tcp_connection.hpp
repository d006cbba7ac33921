// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// How a read or a write ended, and how much it has done until then.
///
/// Shape    `ok`; `timed_out`, by the connection's limits; `cancelled`, by a stop; `closed`: the other side hung up, or cannot be reached any more.
struct tcp_result {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  size_t bytes = 0;
};

/// How long a read and a write of a connection may take.
struct tcp_times {
  tick reading = seconds(60);
  tick writing = seconds(10);
};

/// Two ways of bytes. The interface.
///
/// Context  its worker's thread. One reads at a time, and one writes. What a coroutine is given stays where it is until it has ended.
class tcp_connection {
 public:
  tcp_connection(const tcp_connection&) = delete;
  tcp_connection& operator=(const tcp_connection&) = delete;
  virtual ~tcp_connection() = default;

  /// Waits for bytes, at least one, at most so many.
  virtual async::task<tcp_result> read_some(std::span<char> to) = 0;
  /// Waits until all is filled.
  virtual async::task<tcp_result> read(std::span<char> to) = 0;
  /// Waits until the system has taken all.
  virtual async::task<tcp_result> write(std::string_view what) = 0;
  /// Nothing more will be written: the other side reads to the end.
  virtual void end_writing() = 0;
  /// The other side, as "127.0.0.1:80".
  virtual std::string peer() const = 0;

 protected:
  tcp_connection() = default;
};

}  // namespace baton::BATON_VARIANT::components
