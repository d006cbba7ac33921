// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_connect.hpp>
#include <baton/components/beast_http.hpp>
#include <baton/components/http_client.hpp>
#include <boost/beast/core/flat_buffer.hpp>

namespace baton::components {

/// An HTTP/1.1 client over Boost.Beast.
///
/// Shape    a connection for each request.
/// Context  a worker whose loop is over `asio::poller`.
class beast_http_client final : public http_client {
 public:
  explicit beast_http_client(const http_client_limits& l = {}) : limits_(l) {}

  async::task<http_reply> send(tcp_place to, http_request what) override {
    return send_within(limits_, std::move(to), std::move(what));
  }

 private:
  using error_code = boost::system::error_code;

  static async::task<http_reply> send_within(http_client_limits limits, tcp_place to, http_request what) {
    async::result<http_reply> got =
        co_await async::within(limits.time, exchange(limits, std::move(to), std::move(what)));
    if (got) co_return std::move(*got);
    co_return http_reply(got.status());
  }

  static async::task<http_reply> exchange(http_client_limits limits, tcp_place to, http_request what) {
    namespace http = detail::http;
    boost::asio::ip::tcp::socket s(asio::context());
    http::request<http::string_body> request = request_of(what, to);
    error_code error = co_await detail::connect(s, to);
    if (error) co_return reply_of(error);
    auto [lost, put] = co_await http::async_write(s, request, asio::use_baton);
    // A server that refuses has answered before it has read all: what it says is worth more than that it hung up.
    if (lost == status::cancelled) co_return reply_of(lost);
    http::response_parser<http::string_body> p;
    p.header_limit(limits.header_bytes);
    p.body_limit(limits.body_bytes);
    p.skip(what.method == "HEAD");
    boost::beast::flat_buffer buffer(limits.header_bytes + 65536);
    auto [cut, got] = co_await http::async_read(s, buffer, p, asio::use_baton);
    if (cut) co_return reply_of(lost ? lost : cut);
    co_return http_reply(detail::from_beast(p.release()));
  }

  static detail::http::request<detail::http::string_body> request_of(const http_request& r, const tcp_place& to) {
    namespace http = detail::http;
    http::request<http::string_body> all;
    all.version(11);
    all.method_string(r.method);
    all.target(r.target);
    for (const http_header& h : r.headers) all.insert(h.name, h.value);
    const bool has_colon = to.address.find(':') != std::string::npos;
    if (!r.header("Host")) {
      all.set(http::field::host, (has_colon ? "[" + to.address + "]" : to.address) + ":" + std::to_string(to.port));
    }
    all.set(http::field::connection, "close");
    all.body() = r.body;
    all.prepare_payload();
    return all;
  }

  static http_reply reply_of(const error_code& e) {
    namespace http = detail::http;
    if (e == status::cancelled) return http_reply(status::cancelled);
    const bool is_too_large =
        e == http::error::header_limit || e == http::error::body_limit || e == http::error::buffer_overflow;
    return http_reply(is_too_large ? status::truncated : status::closed, e.message());
  }

  const http_client_limits limits_;
};

}  // namespace baton::components
