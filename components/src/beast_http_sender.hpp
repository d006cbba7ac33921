// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/asio.hpp>
#include <baton/async/with_frame.hpp>
#include <boost/asio/write.hpp>

#include "asio_socket.hpp"
#include "beast_http.hpp"
#include "http_date.hpp"
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

/// Writes to a connection. Each function returns the error that it ended with.
class beast_http_sender {
 public:
  using error_code = boost::system::error_code;

  beast_http_sender(tcp_link& to, http_date& d, duration t) : link_(to), date_(d), time_(t) {}

  async::task<error_code> send(http_response r, answer_form f) {
    const bool has_body = r.status != 204 && r.status != 304;
    if (f.is_head || !has_body) {
      auto head = head_of<http::empty_body>(r, f);
      if (has_body) head.content_length(r.body.size());
      auto [error, bytes] = co_await async::within(time_, http::async_write(link_, head, asio::use_baton));
      co_return error;
    }
    auto all = head_of<http::string_body>(r, f);
    all.body() = std::move(r.body);
    all.prepare_payload();
    auto [error, bytes] = co_await async::within(time_, http::async_write(link_, all, asio::use_baton));
    co_return error;
  }

  /// Sends the head, and then what comes through the pipe. In HTTP/1.0 the connection's end is the
  /// end of the body.
  async::task<error_code> send(http_response r, answer_form f, http_pipe& body) {
    const bool is_chunked = f.version == 11;
    {
      auto head = head_of<http::empty_body>(r, f);
      if (is_chunked) head.chunked(true);
      http::response_serializer<http::empty_body> text(head);
      auto [error, bytes] = co_await async::within(time_, http::async_write_header(link_, text, asio::use_baton));
      if (error || f.is_head) co_return error;
    }
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
  template <typename Body>
  http::response<Body> head_of(const http_response& r, const answer_form& f) {
    auto head = to_beast<Body>(r, f.keeps);
    if (f.keeps && f.version < 11) head.set(http::field::connection, "keep-alive");
    head.set(http::field::date, date_.now());
    return head;
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
    auto [error, bytes] = co_await async::within(
        time_, boost::asio::async_write(link_, boost::asio::const_buffer(text.data(), text.size()), asio::use_baton));
    co_return error;
  }

  tcp_link& link_;
  http_date& date_;
  const duration time_;
};

}  // namespace baton::BATON_VARIANT::components::detail
