// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/components/websocket.hpp>
#include <boost/beast/zlib/error.hpp>
#include <new>
#include <stdexcept>

#include "asio_socket.hpp"
#include "beast_upgrade.hpp"
#include "beast_websocket_stream.hpp"
#include "websocket_inbox.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A connection over Beast's stream, on either side.
///
/// Shape    two coroutines of its own: `pump` reads messages, one after the other, and ends the
///          connection; `watch` pings. Beast allows one read, one write, one ping and one close at
///          a time.
class beast_websocket final : public websocket {
 public:
  using ending = websocket_ending;

  /// The stream has to be open.
  beast_websocket(websocket_stream s, http_request by, const websocket_limits& l, bool is_client = false)
      : stream_(std::move(s)), request_(std::move(by)), limits_(l), inbox_(l.waiting_messages), is_client_(is_client) {
    stream_.read_message_max(limits_.message_bytes == 0 ? 1 : limits_.message_bytes);  // 0 would be no limit
  }
  ~beast_websocket() override {
    leave(ending::left);
    inner_.destroy_all();
  }

  void begin() {
    inner_.spawn(async::with_frame(pump()));
    inner_.spawn(async::with_frame(watch()));
  }
  /// Waits until the socket is closed, after the end.
  auto join() { return inner_.join(); }

  ending how() const noexcept { return how_; }

  async::task<websocket_message> receive(time_limit limit) override { return async::with_frame(next_within(limit)); }

  async::task<status> send_text(std::string_view text, time_limit limit) override {
    return async::with_frame(send(text, true, limit));
  }
  async::task<status> send_binary(std::string_view bytes, time_limit limit) override {
    return async::with_frame(send(bytes, false, limit));
  }

  async::task<status> close(uint16_t code, std::string_view reason) override {
    const bool is_to_be_sent =
        (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
    if (!is_to_be_sent) throw std::invalid_argument("a WebSocket cannot be closed with " + std::to_string(code));
    if (reason.size() > 123) throw std::invalid_argument("a WebSocket's reason has at most 123 bytes");
    return async::with_frame(close_with(ws::close_reason(static_cast<ws::close_code>(code), reason)));
  }

  websocket_end end() const override { return end_; }
  std::string peer() const override { return peer_of(stream_.next_layer()); }
  const http_request& request() const override { return request_; }

  /// Ends the connection at once.
  void leave(ending why) {
    end_as(why);
    stream_.next_layer().close();
  }

  /// Sends the close of a server's stop as far as the system accepts it at once, and does not wait.
  void go_away() {
    if (!is_over() && !is_closing_ && !line_.is_locked() && stream_.is_open()) write_close(ws::close_code::going_away);
    leave(ending::stopped);
  }

 private:
  using error_code = boost::system::error_code;

  async::task<websocket_message> next_within(time_limit limit) {
    const tick due = due_in(limit);
    websocket_message m;
    for (;;) {
      if (inbox_.take(m)) co_return m;
      m.ended = is_over() ? status_of(how_) : status::ok;
      if (m.ended != status::ok) co_return m;
      m.ended = co_await async::within(left_until(due), inbox_.news());
      if (m.ended != status::ok) co_return m;
    }
  }

  struct turn {
    explicit turn(async::mutex& m) : of(m) {}
    turn(const turn&) = delete;
    ~turn() { of.unlock(); }
    async::mutex& of;
  };
  /// Leaves the connection where an exception ends an operation on the stream, which may be half
  /// done.
  struct unless_done {
    explicit unless_done(beast_websocket& w) : of(w) {}
    unless_done(const unless_done&) = delete;
    ~unless_done() {
      if (!is_done) of.leave(ending::left);
    }
    beast_websocket& of;
    mutable bool is_done = false;
  };
  struct closing {
    explicit closing(beast_websocket& w) : of(w) { of.is_closing_ = true; }
    closing(const closing&) = delete;
    ~closing() { of.has_closed_.set(); }
    beast_websocket& of;
  };

  async::task<status> send(std::string_view what, bool is_text, time_limit limit) {
    const tick due = due_in(limit);
    if (is_over() || is_closing_) co_return status::closed;
    const status first = co_await async::within(left_until(due), line_.lock());
    if (first != status::ok) co_return first;
    const turn mine(line_);
    if (is_over() || is_closing_) co_return status::closed;
    stream_.text(is_text);
    const boost::asio::const_buffer bytes(what.data(), what.size());
    const time_limit left = left_until(due);
    const time_limit time = left < limits_.sending_time ? left : limits_.sending_time;
    const unless_done at_want(*this);
    auto [error, sent] = co_await async::within(time, stream_.async_write(bytes, asio::use_baton));
    at_want.is_done = true;
    if (!error) co_return status::ok;
    const status why = error == status::timed_out ? status::timed_out : status::cancelled;
    if (error != why) co_return status::closed;
    if (!stream_.is_open()) leave(why == status::timed_out ? ending::not_taken : ending::stopped);
    co_return why;
  }

  async::task<status> close_with(ws::close_reason why) {
    if (is_over() || is_closing_) co_return status::closed;
    const closing now(*this);
    const unless_done at_want(*this);
    auto [error] = co_await async::within(limits_.closing_time, stream_.async_close(why, asio::use_baton));
    at_want.is_done = true;
    if (!error) {
      end_as(ending::closed, stream_.reason());
    } else if (error == status::timed_out || error == status::cancelled) {
      leave(error == status::timed_out ? ending::not_taken : ending::stopped);
      co_return error == status::timed_out ? status::timed_out : status::cancelled;
    } else if (error == boost::asio::error::operation_aborted) {
      // The coroutine that reads gets the answer, or another end.
      const status ended = co_await async::within(limits_.closing_time, over_.wait());
      if (ended != status::ok) leave(ending::left);
    } else {
      leave(ending::left);
    }
    co_return how_ == ending::closed ? status::ok : status::closed;
  }

  /// Writes a close past Beast, as far as the system accepts it at once.
  void write_close(uint16_t code) {
    const auto high = static_cast<unsigned char>(code >> 8), low = static_cast<unsigned char>(code);
    const unsigned char of_server[] = {0x88, 2, high, low};
    const unsigned char of_client[] = {0x88, 0x82, 0, 0, 0, 0, high, low};  // masked with a key of 0
    stream_.next_layer().write_now(is_client_ ? boost::asio::buffer(of_client) : boost::asio::buffer(of_server));
  }

  /// Refuses a message that does not inflate, or a text that is cut. Beast sends no close for them.
  /// Source   RFC 6455, 7.1.7.
  async::task<> refuse_payload() {
    const status first = co_await async::within(limits_.closing_time, line_.lock());
    if (first == status::ok) {
      const turn mine(line_);
      if (!is_over() && !is_closing_) write_close(ws::close_code::bad_payload);
    }
    end_as(ending::violated, ws::close_code::bad_payload);
  }

  async::task<> pump() {
    try {
      for (;;) {
        const bool goes_on = co_await async::with_frame(wait_for_room());
        if (!goes_on) break;
        websocket_message m;
        auto to = boost::asio::dynamic_buffer(m.data);
        auto [error, bytes] = co_await stream_.async_read(to, asio::use_baton);
        if (error) {
          co_await async::with_frame(note(error));
          break;
        }
        m.is_text = stream_.got_text();
        if (m.is_text && ends_within_character(m.data)) {
          co_await async::with_frame(refuse_payload());
          break;
        }
        inbox_.put(std::move(m));
      }
      co_await async::with_frame(hang_up(stream_.next_layer(), limits_.closing_time));
    } catch (const std::bad_alloc&) {
      leave(ending::left);
    }
  }

  /// Waits until a message may be read. false: the connection has ended.
  async::task<bool> wait_for_room() {
    while (!is_over() && inbox_.is_full()) {
      is_reading_ = false;
      const status waited = co_await inbox_.room();
      if (waited != status::ok) leave(ending::stopped);
    }
    is_reading_ = true;
    co_return !is_over();
  }

  /// Ends the connection for the reason that the reading ended.
  async::task<> note(error_code e) {
    if (e == ws::error::closed) {
      end_as(ending::closed, stream_.reason());
    } else if (e == ws::error::message_too_big) {
      end_as(ending::too_large, ws::close_code::too_big);
    } else if (e == ws::error::bad_frame_payload) {
      end_as(ending::violated, ws::close_code::bad_payload);
    } else if (e.category() == ws::make_error_code(ws::error::closed).category()) {
      end_as(ending::violated, ws::close_code::protocol_error);
    } else if (e.category() == boost::beast::zlib::make_error_code(boost::beast::zlib::error::general).category()) {
      co_await refuse_payload();
    } else if (is_closing_ && e != status::cancelled) {
      // The coroutine that closes reads the answer.
      const status waited = co_await has_closed_.wait();
      static_cast<void>(waited);
    }
    leave_if_not_over(e == status::cancelled ? ending::stopped : ending::left);
  }

  /// Pings a silent side, and leaves one that stays silent.
  async::task<> watch() {
    uint64_t seen = 0;
    bool has_asked = false;
    try {
      while (!is_over()) {
        const status ended = co_await async::within(limits_.idle_time / 2, over_.wait());
        if (ended != status::timed_out) break;
        // A side that was not read from is not at fault for its silence.
        const bool is_heard = !is_reading_ || stream_.next_layer().reads() != seen;
        seen = stream_.next_layer().reads();
        if (has_asked && !is_heard) leave(ending::idle);
        has_asked = !is_heard;
        if (!has_asked || is_over() || is_closing_) continue;
        auto [error] =
            co_await async::within(limits_.idle_time / 2, stream_.async_ping(ws::ping_data(), asio::use_baton));
        if (error == status::timed_out) leave(ending::idle);
      }
    } catch (const std::bad_alloc&) {
      leave(ending::left);
    }
  }

  bool is_over() const noexcept { return how_ != ending::none; }
  void leave_if_not_over(ending why) {
    if (!is_over()) leave(why);
  }
  /// Notes the end of the connection; only the first one counts.
  void end_as(ending why, const ws::close_reason& said = {}) {
    if (is_over()) return;
    end_.reason.assign(said.reason.data(), said.reason.size());  // first, because it may throw
    how_ = why;
    end_.ended = status_of(why);
    const bool has_code = said.code != ws::close_code::none;
    if (has_code || why == ending::closed) end_.code = has_code ? said.code : 1005;
    over_.set();
    inbox_.end();
  }

  static status status_of(ending e) noexcept {
    if (e == ending::too_large) return status::truncated;
    return e == ending::left || e == ending::idle || e == ending::not_taken ? status::peer_gone : status::closed;
  }

  websocket_stream stream_;
  const http_request request_;
  websocket_limits limits_;
  websocket_inbox inbox_;
  ending how_ = ending::none;
  websocket_end end_;
  const bool is_client_;
  bool is_closing_ = false;
  bool is_reading_ = false;
  async::mutex line_;  // held by the coroutine that sends
  async::manual_event over_;
  async::manual_event has_closed_;
  async::scope inner_;
};

}  // namespace baton::BATON_VARIANT::components::detail
