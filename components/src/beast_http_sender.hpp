// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/asio.hpp>
#include <baton/async/with_frame.hpp>
#include <boost/asio/write.hpp>

#include "asio_socket.hpp"
#include "beast_http.hpp"
#include "http_date.hpp"
#include "http_framing.hpp"
#include "http_pipe.hpp"
#include "tcp_link.hpp"

/// Sends responses.
namespace baton::BATON_VARIANT::components::detail {

/// The properties of a request that its answer depends on.
struct answer_form {
  unsigned version = 11;
  bool is_head = false;
  bool keeps = false;  // the connection
};

inline answer_form form_of(const http::request<http::string_body>& r, const head_facts& facts) {
  const bool is_said = facts.connection.count != 0;
  return {r.version(), r.method() == http::verb::head, is_said ? keeps_connection(r, r.version()) : r.version() >= 11};
}

/// Writes to a connection. Each function returns the error that it ended with.
class beast_http_sender {
 public:
  using error_code = boost::system::error_code;

  beast_http_sender(tcp_link& to, http_date& d, duration t) : link_(to), date_(d), time_(t) {}

  /// Sends a response. It waits only for what the system does not accept at once.
  async::task<error_code> send(http_response&& r, answer_form f) {
    const bool has_body = r.status != 204 && r.status != 304;
    begin(r, f);
    if (has_body) add("Content-Length: ", std::to_string(r.body.size()));
    text_ += "\r\n";
    if (!has_body || f.is_head) return write_text(text_);
    if (r.body.size() > most_joined) return write_both(std::move(r.body));
    text_ += r.body;
    return write_text(text_);
  }

  /// Sends the head, and then what comes through the pipe. In HTTP/1.0 the connection's end is the
  /// end of the body.
  async::task<error_code> send(http_response r, answer_form f, http_pipe& body) {
    const bool is_chunked = f.version == 11;
    begin(r, f);
    if (is_chunked) add("Transfer-Encoding: ", "chunked");
    text_ += "\r\n";
    const error_code lost = co_await async::with_frame(write_text(text_));
    if (lost || f.is_head) co_return lost;
    for (;;) {
      const status next = co_await async::with_frame(body.next());
      if (next == status::cancelled) co_return next;
      if (next != status::ok) break;
      const error_code error = co_await async::with_frame(write(body.piece(), is_chunked));
      if (error) co_return error;
      body.take();
    }
    if (!body.is_whole()) co_return boost::asio::error::connection_aborted;
    if (!is_chunked) co_return error_code();
    co_return co_await async::with_frame(write_text("0\r\n\r\n"));
  }

  async::task<error_code> agree(time_limit limit) {
    static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    auto [error, bytes] = co_await async::within(
        limit, boost::asio::async_write(link_, boost::asio::const_buffer(go_on.data(), go_on.size()), asio::use_baton));
    co_return error;
  }

 private:
  /// A body up to this size is copied behind the head, so that one buffer is sent.
  static constexpr size_t most_joined = 4096;

  /// Writes the head of a response, but for its length and its end.
  void begin(const http_response& r, const answer_form& f) {
    const bool has_type = !r.type.empty() && r.status != 204 && r.status != 304;
    text_ = "HTTP/1.1 ";
    text_ += std::to_string(r.status);
    text_ += ' ';
    text_ += view_of(http::obsolete_reason(http::int_to_status(r.status)));
    text_ += "\r\n";
    for (const http_header& h : r.headers) {
      if (has_type && is_same_name(h.name, "Content-Type")) continue;
      text_ += h.name;
      add(": ", h.value);
    }
    if (has_type) add("Content-Type: ", r.type);
    if (!f.keeps) {
      add("Connection: ", "close");
    } else if (f.version < 11) {
      add("Connection: ", "keep-alive");
    }
    add("Date: ", date_.now());
  }
  void add(std::string_view name, std::string_view value) {
    text_ += name;
    text_ += value;
    text_ += "\r\n";
  }

  async::task<error_code> write(const std::string& piece, bool is_chunked) {
    char size[20];
    const int digits = is_chunked ? std::snprintf(size, sizeof size, "%zx\r\n", piece.size()) : 0;
    const std::array<boost::asio::const_buffer, 3> parts = {
        boost::asio::const_buffer(size, static_cast<size_t>(digits)),
        boost::asio::const_buffer(piece.data(), piece.size()), boost::asio::const_buffer("\r\n", is_chunked ? 2 : 0)};
    auto [error, bytes] = co_await async::within(time_, boost::asio::async_write(link_, parts, asio::use_baton));
    co_return error;
  }
  async::task<error_code> write_text(std::string_view text) {
    error_code error;
    const size_t done = link_.try_write(boost::asio::const_buffer(text.data(), text.size()), error);
    if (error || done == text.size()) co_return error;
    text.remove_prefix(done);
    auto [lost, bytes] = co_await async::within(
        time_, boost::asio::async_write(link_, boost::asio::const_buffer(text.data(), text.size()), asio::use_baton));
    co_return lost;
  }
  /// Writes the head, and a body that is too large for a copy.
  async::task<error_code> write_both(std::string body) {
    const std::array<boost::asio::const_buffer, 2> parts = {boost::asio::buffer(text_), boost::asio::buffer(body)};
    auto [error, bytes] = co_await async::within(time_, boost::asio::async_write(link_, parts, asio::use_baton));
    co_return error;
  }

  tcp_link& link_;
  http_date& date_;
  const duration time_;
  std::string text_;  // of the head
};

}  // namespace baton::BATON_VARIANT::components::detail
