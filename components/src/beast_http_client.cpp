// SPDX-License-Identifier: MIT
#include <baton/async/with_frame.hpp>
#include <baton/components/beast_http_client.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <new>

#include "asio_connect.hpp"
#include "asio_socket.hpp"
#include "http_framing.hpp"

namespace baton::BATON_VARIANT::components {

/// The reason that a request is not sent; empty: it is. A line end in a target or a header would
/// begin another header, or another request.
static std::string fault_of(const http_request& r) {
  if (!detail::is_token(r.method)) return "the method is no token";
  if (!detail::is_target(r.target)) return "the target has a character that has to be written as %XX";
  for (const http_header& h : r.headers) {
    if (!detail::is_token(h.name)) return "the name of a header is no token";
    if (!detail::is_field_value(h.value)) return "the header " + h.name + " has a control character";
    for (const char* own : {"Content-Length", "Transfer-Encoding", "Connection"}) {
      if (detail::is_same_name(h.name, own)) return "the client itself sets " + h.name;
    }
  }
  return {};
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

static http_reply reply_of(const boost::system::error_code& e, std::string why) {
  namespace http = detail::http;
  if (e == status::cancelled) return http_reply(status::cancelled);
  const bool is_too_large =
      e == http::error::header_limit || e == http::error::body_limit || e == http::error::buffer_overflow;
  return http_reply(is_too_large ? status::truncated : status::closed, std::move(why));
}

/// Reads the final answer. Interim answers may come before it.
/// Source   RFC 9110, 15.2.
static async::task<http_reply> answer_from(detail::tcp_link& l, const http_client_limits& limits, bool is_head,
                                           boost::system::error_code lost) {
  namespace http = detail::http;
  boost::beast::flat_buffer buffer(limits.header_bytes + 65536);
  for (int interims = 0; interims != 16; ++interims) {
    http::response_parser<http::string_body> p;
    p.header_limit(limits.header_bytes);
    p.body_limit(limits.body_bytes);
    p.skip(is_head);
    auto [cut, head] = co_await http::async_read_header(l, buffer, p, asio::use_baton);
    if (cut) co_return reply_of(lost ? lost : cut, l.why(lost ? lost : cut));
    const unsigned code = p.get().result_int();
    if (code == 101) co_return http_reply(status::closed, "the server has changed the protocol unasked");
    if (code < 200) continue;
    const std::string fault = detail::framing_fault_of(p.get());
    if (!fault.empty()) co_return http_reply(status::closed, fault);
    http_response all = detail::from_beast(p.get());  // before the body, whose trailers Beast appends to the headers
    auto [end, rest] = co_await http::async_read(l, buffer, p, asio::use_baton);
    if (end) co_return reply_of(lost ? lost : end, l.why(lost ? lost : end));
    all.body = std::move(p.get().body());
    co_return http_reply(std::move(all));
  }
  co_return http_reply(status::closed, "too many interim answers");
}

static async::task<http_reply> exchange(http_client_limits limits, tcp_place to, http_request what) {
  namespace http = detail::http;
  detail::tcp_link l{detail::tcp_link::socket(detail::network_context())};
  http::request<http::string_body> request = request_of(what, to);
  const detail::connected begun = co_await async::with_frame(detail::connect(l, to, detail::tls_protocol::http));
  if (begun.error) co_return reply_of(begun.error, begun.why);
  auto [lost, put] = co_await http::async_write(l, request, asio::use_baton);
  // A server that refuses a request answers before it has read all of it. That answer is worth more
  // than the failure of the write.
  if (lost == status::cancelled) co_return reply_of(lost, {});
  co_return co_await async::with_frame(answer_from(l, limits, what.method == "HEAD", lost));
}

static async::task<http_reply> send_within(http_client_limits limits, tcp_place to, http_request what) {
  std::string fault = fault_of(what);
  if (!fault.empty()) co_return http_reply(status::no_right, std::move(fault));
  async::result<http_reply> got = co_await async::within(limits.time, exchange(limits, std::move(to), std::move(what)));
  if (got) co_return std::move(*got);
  if (got.status() == status::full) throw std::bad_alloc();
  co_return http_reply(got.status());
}

async::task<http_reply> beast_http_client::send(tcp_place to, http_request what) {
  return async::with_frame(send_within(limits_, std::move(to), std::move(what)));
}

}  // namespace baton::BATON_VARIANT::components
