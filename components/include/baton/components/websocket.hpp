// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/async/poller.hpp>
#include <baton/components/http_message.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// What a receive came to.
///
/// Shape    `ok`: a message, whole, however many fragments it came in. `timed_out`, `cancelled`: there is none yet, and the connection goes on.
///          `closed`: it was closed, by whom and why `websocket::end` says. `peer_gone`: the other side went without a word, or does not answer.
///          `truncated`: a message exceeded the limit, and the connection was closed.
struct websocket_message {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  bool is_text = true;
  std::string data;
};

/// How a connection ended.
///
/// Shape    `ended` is what later receives give, or `ok` while it goes on. `code` and `reason` are the other side's; or what this side has told it
///          when it refused something; or 1005, no code was given, and 1006, nothing was told.
/// Source   RFC 6455, 7.4.
struct websocket_end {
  status ended = status::ok;
  uint16_t code = 1006;
  std::string reason;
};

/// What the other side may cost a connection.
struct websocket_limits {
  uint64_t message_bytes = 1u << 20;  ///< of a message that comes; a larger one is refused with 1009 before it is read
  uint32_t waiting_messages = 4;      ///< that have come and were not received yet; then nothing more is read
  /// Nothing has come for half of this, although it would be read: it is asked (a ping). Nothing comes for another half: it is left.
  tick idle_time = seconds(60);
  tick sending_time = seconds(10);  ///< for the other side to take a message; then it is left
  tick closing_time = seconds(5);   ///< for the other side to answer a close, and to hang up; then it is left
};

/// Messages, both ways. The interface.
///
/// Context  its worker's thread. What was begun is read meanwhile, so pings and a close are answered without a receive, as long as fewer than
///          `waiting_messages` wait. Several may send, and stand in line; several may receive. What a coroutine is given stays where it is until it has ended.
class websocket {
 public:
  websocket(const websocket&) = delete;
  websocket& operator=(const websocket&) = delete;
  virtual ~websocket() = default;

  /// Waits for a message, or at most so long. What came before the end is given before it.
  ///
  /// Context  a wait that is stopped, or whose time is up, loses no message: the next receive has it. (`async::within` around it drops what has come in
  ///          the same moment: give the time here.)
  virtual async::task<websocket_message> receive(tick limit = async::never) = 0;

  /// Waits until those before it have sent, and the system has taken all of this one; at most so long.
  ///
  /// Errors   `timed_out`, `cancelled`: nothing was sent; or the message was begun, which nobody can take back, and the connection is at its end.
  ///          `closed`: it has ended. A text that is no UTF-8 is refused by the other side.
  virtual async::task<status> send_text(std::string_view text, tick limit = async::never) = 0;
  virtual async::task<status> send_binary(std::string_view bytes, tick limit = async::never) = 0;

  /// Says why, and waits for the answer: `ok`, or `timed_out`, `cancelled` or `closed`, and the connection has ended in any case. What still comes is dropped.
  ///
  /// Errors   std::invalid_argument: a code that is not to be sent (RFC 6455, 7.4), or a reason longer than 123 bytes.
  virtual async::task<status> close(uint16_t code = 1000, std::string_view reason = {}) = 0;

  virtual websocket_end end() const = 0;
  /// The other side, as "127.0.0.1:80".
  virtual std::string peer() const = 0;
  /// What it was opened with: its target, as "/room?name=a", and headers.
  virtual const http_request& request() const = 0;

 protected:
  websocket() = default;
};

}  // namespace baton::BATON_VARIANT::components
