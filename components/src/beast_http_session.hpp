// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "asio_socket.hpp"
#include "beast_http.hpp"
#include "http_dispatch.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The state that all connections of a server share.
struct beast_http_core {
  http_limits limits;
  http_counters counts;
  const http_routes* routes;
};

/// One connection: requests and their answers, one after the other.
class beast_http_session {
 public:
  using socket = boost::asio::ip::tcp::socket;

  beast_http_session(socket s, beast_http_core& c)
      : socket_(std::move(s)), core_(c), limits_(c.limits), buffer_(c.limits.header_bytes + 4096) {}

  /// Runs to the end of the connection. Throws only if there is no memory, which ends the
  /// connection.
  static async::task<> run(socket s, beast_http_core& core) {
    const open_one counted(core.counts);
    uint64_t http_counters::*end = &http_counters::left;
    try {
      beast_http_session one(std::move(s), core);
      end = co_await one.serve();
    } catch (...) {
      end = &http_counters::left;
    }
    ++(core.counts.*end);
  }

 private:
  using counter = uint64_t http_counters::*;
  using parser = http::request_parser<http::string_body>;
  using error_code = boost::system::error_code;

  struct open_one {
    explicit open_one(http_counters& c) : of(c) {
      ++of.connections;
      ++of.open;
    }
    open_one(const open_one&) = delete;
    ~open_one() { --of.open; }
    http_counters& of;
  };

  async::task<counter> serve() {
    for (;;) {
      counter why = co_await wait_for_request();
      if (why) co_return why;
      parser p;
      why = co_await read(p);
      if (why) {
        co_await refuse(why);
        co_return why;
      }
      const bool keeps = p.get().keep_alive();
      const bool has_ended = co_await answer(p.release(), keeps);
      if (has_ended) co_return has_been_stopped_ ? &http_counters::stopped : &http_counters::left;
      if (!keeps) {
        co_await hang_up(socket_, 1_s);
        co_return &http_counters::closed;
      }
    }
  }

  /// Waits for the first byte of a request; null: it has come.
  async::task<counter> wait_for_request() {
    if (buffer_.size() != 0) co_return nullptr;
    auto [error] = co_await async::within(limits_.idle_time, socket_.async_wait(socket::wait_read, asio::use_baton));
    if (!error) co_return nullptr;
    co_return error == status::timed_out ? &http_counters::idle : end_by(error);
  }

  /// Reads a request; null: it is complete.
  async::task<counter> read(parser& p) {
    p.header_limit(limits_.header_bytes);
    p.body_limit(limits_.body_bytes);
    const tick due = port::now() + limits_.reading_time;
    auto [error, bytes] =
        co_await async::within(limits_.reading_time, http::async_read_header(socket_, buffer_, p, asio::use_baton));
    if (error) co_return end_by(error);
    // Beast checks its limit only when a header comes in several pieces.
    if (bytes > limits_.header_bytes) co_return &http_counters::header_too_large;
    if (p.get().version() == 11 && p.get().count(http::field::host) != 1) co_return &http_counters::malformed;
    if (is_awaiting_leave(p.get())) {
      http::response<http::empty_body> go_on(http::status::continue_, 11);
      auto [lost, put] = co_await async::within(left_until(due), http::async_write(socket_, go_on, asio::use_baton));
      if (lost) co_return end_by(lost);
    }
    auto [cut, rest] = co_await async::within(left_until(due), http::async_read(socket_, buffer_, p, asio::use_baton));
    if (cut) co_return end_by(cut);
    co_return nullptr;
  }

  /// Answers a request. true: the connection has ended.
  async::task<bool> answer(http::request<http::string_body> r, bool keeps) {
    const unsigned version = r.version();
    const bool is_head = r.method() == http::verb::head;
    http_response response = co_await dispatch(*core_.routes, limits_, core_.counts, from_beast(std::move(r)));
    co_return co_await send(std::move(response), version, keeps, is_head);
  }

  async::task<bool> send(http_response r, unsigned version, bool keeps, bool is_head) {
    if (is_head) {
      auto head = to_beast<http::empty_body>(r, version, keeps);
      if (r.status != 204 && r.status != 304) head.content_length(r.body.size());
      auto [error, bytes] =
          co_await async::within(limits_.writing_time, http::async_write(socket_, head, asio::use_baton));
      has_been_stopped_ = error == status::cancelled;
      co_return error.failed();
    }
    auto all = to_beast<http::string_body>(r, version, keeps);
    all.body() = std::move(r.body);
    all.prepare_payload();
    auto [error, bytes] =
        co_await async::within(limits_.writing_time, http::async_write(socket_, all, asio::use_baton));
    has_been_stopped_ = error == status::cancelled;
    co_return error.failed();
  }

  /// Answers a request that was refused.
  async::task<> refuse(counter why) {
    http_response r(400, "This is no request.\n");
    if (why == &http_counters::too_slow) r = http_response(408, "The request came too slowly.\n");
    if (why == &http_counters::body_too_large) r = http_response(413, "The request is too large.\n");
    if (why == &http_counters::header_too_large) r = http_response(431, "The request's header is too large.\n");
    if (r.status == 400 && why != &http_counters::malformed) co_return;
    const bool is_lost = co_await send(std::move(r), 11, false, false);
    if (!is_lost) co_await hang_up(socket_, 1_s);
  }

  static counter end_by(const error_code& e) {
    if (e == status::cancelled) return &http_counters::stopped;
    if (e == status::timed_out) return &http_counters::too_slow;
    if (e == http::error::end_of_stream) return &http_counters::left;
    if (e == http::error::header_limit || e == http::error::buffer_overflow) return &http_counters::header_too_large;
    if (e == http::error::body_limit) return &http_counters::body_too_large;
    return e.category() == http::make_error_code(http::error::bad_method).category() ? &http_counters::malformed
                                                                                     : &http_counters::left;
  }
  static bool is_awaiting_leave(const http::request<http::string_body>& r) {
    return r.version() == 11 && boost::beast::iequals(r[http::field::expect], "100-continue");
  }

  socket socket_;
  beast_http_core& core_;
  const http_limits& limits_;
  boost::beast::flat_buffer buffer_;
  bool has_been_stopped_ = false;
};

}  // namespace baton::BATON_VARIANT::components::detail
