// SPDX-License-Identifier: MIT
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>

#include "asio_connect.hpp"
#include "asio_listener.hpp"
#include "beast_http_session.hpp"

namespace baton::BATON_VARIANT::components {

/// ---- Server ----

struct beast_http_server::state {
  detail::beast_http_core core;
  detail::asio_listener door;
};

beast_http_server::beast_http_server(service::context here, const tcp_place& at, const http_limits& l)
    : state_(new state{{l, {}, &routes()}, detail::asio_listener(at)}) {
  detail::beast_http_core& core = state_->core;
  here.spawn(state_->door.accept(l.connections, core.counts.turned_away, [&core](detail::tcp::socket s) {
    return detail::beast_http_session::run(std::move(s), core);
  }));
}
beast_http_server::~beast_http_server() = default;

uint16_t beast_http_server::port() const {
  return state_->door.port();
}
http_counters beast_http_server::counters() const {
  return state_->core.counts;
}

/// ---- Client ----

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

static http_reply reply_of(const boost::system::error_code& e) {
  namespace http = detail::http;
  if (e == status::cancelled) return http_reply(status::cancelled);
  const bool is_too_large =
      e == http::error::header_limit || e == http::error::body_limit || e == http::error::buffer_overflow;
  return http_reply(is_too_large ? status::truncated : status::closed, e.message());
}

static async::task<http_reply> exchange(http_client_limits limits, tcp_place to, http_request what) {
  namespace http = detail::http;
  boost::asio::ip::tcp::socket s(asio::context());
  http::request<http::string_body> request = request_of(what, to);
  boost::system::error_code error = co_await detail::connect(s, to);
  if (error) co_return reply_of(error);
  auto [lost, put] = co_await http::async_write(s, request, asio::use_baton);
  // A server that refuses a request answers before it has read all of it. That answer is worth more
  // than the failure of the write.
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

static async::task<http_reply> send_within(http_client_limits limits, tcp_place to, http_request what) {
  async::result<http_reply> got = co_await async::within(limits.time, exchange(limits, std::move(to), std::move(what)));
  if (got) co_return std::move(*got);
  co_return http_reply(got.status());
}

async::task<http_reply> beast_http_client::send(tcp_place to, http_request what) {
  return send_within(limits_, std::move(to), std::move(what));
}

}  // namespace baton::BATON_VARIANT::components
