// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/async/poller.hpp>
#include <baton/components/http_message.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// The end of a receive.
///
/// Shape    `ok`: a whole message, in however many fragments it came. `timed_out`, `cancelled`:
///          there is no message yet, and the connection goes on. `closed`: the connection was
///          closed; `websocket::end` says by whom and why. `peer_gone`: the other side went without
///          a close, or does not answer. `truncated`: a message exceeded the limit, and the
///          connection was closed.
struct websocket_message {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  bool is_text = true;
  std::string data;
};

/// The end of a connection.
///
/// Shape    `ended` is the result of later receives, or `ok` while the connection goes on. `code`
///          and `reason` are the other side's, or this side's if it refused a message; 1005: no
///          code was given; 1006: no close was sent.
/// Source   RFC 6455, 7.4.
struct websocket_end {
  status ended = status::ok;
  uint16_t code = 1006;
  std::string reason;
};

/// The limits of a connection on the other side.
struct websocket_limits {
  uint64_t message_bytes = 1u << 20;  ///< of an incoming message; a larger one is refused with 1009 before it is read
  uint32_t waiting_messages = 4;      ///< messages that have come and wait to be received; above, nothing is read
  /// After half of this without incoming bytes the other side gets a ping; after the other half the
  /// connection is left. Time during which nothing is read does not count.
  duration idle_time = 60_s;
  duration sending_time = 10_s;  ///< for the other side to read a message; then it is left
  duration closing_time = 5_s;   ///< for the other side to answer a close and to hang up; then it is left
  /// Messages are compressed (permessage-deflate, RFC 7692) if the other side agrees.
  /// `message_bytes` bounds a message as it is when inflated. Costs about 300 KB per connection.
  bool compresses = false;
};

/// Messages in both directions. An interface.
///
/// Context  its worker's thread. The connection reads ahead, so pings and a close are answered
///          without a receive, as long as fewer than `waiting_messages` wait. Several coroutines
///          may send, one after the other, and several may receive. Their buffers have to stay
///          valid until they have ended.
class websocket {
 public:
  websocket(const websocket&) = delete;
  websocket& operator=(const websocket&) = delete;
  virtual ~websocket() = default;

  /// Waits for a message, at most for `limit`. Messages that came before the end are received
  /// before it.
  ///
  /// Context  a wait that is stopped or times out loses no message: the next receive has it.
  ///          (`async::within` around it drops a message that comes in the same moment: give the
  ///          limit here.)
  virtual async::task<websocket_message> receive(time_limit limit = forever) = 0;

  /// Waits until earlier messages are sent and the system has accepted all of this one, at most for
  /// `limit`.
  ///
  /// Errors   `timed_out`, `cancelled`: either nothing was sent, or the message was begun, and the
  ///          connection ends because a begun message cannot be taken back. `closed`: the
  ///          connection has ended. The other side refuses a text that is not UTF-8.
  virtual async::task<status> send_text(std::string_view text, time_limit limit = forever) = 0;
  virtual async::task<status> send_binary(std::string_view bytes, time_limit limit = forever) = 0;

  /// Sends a close with its reason, and waits for the answer: `ok`, `timed_out`, `cancelled` or
  /// `closed`. The connection has ended in any case; messages that still come are dropped.
  ///
  /// Errors   std::invalid_argument: a code that must not be sent (RFC 6455, 7.4), or a reason
  ///          longer than 123 bytes.
  virtual async::task<status> close(uint16_t code = 1000, std::string_view reason = {}) = 0;

  virtual websocket_end end() const = 0;
  /// The address of the other side, as in "127.0.0.1:80".
  virtual std::string peer() const = 0;
  /// The request that opened the connection: its target, as "/room?name=a", and headers.
  virtual const http_request& request() const = 0;

 protected:
  websocket() = default;
};

}  // namespace baton::BATON_VARIANT::components
