// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/asio_tcp_server.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>

/// The exception of the program's `baton_require_failed`. It is the harness's, whose header is for
/// virtual time.
namespace baton::test {
struct requirement_failed {
  uint16_t id;
};
}  // namespace baton::test

namespace network_test {

static options without_signals() {
  options o;
  o.ends_at_signals = false;
  return o;
}

over_asio::over_asio() : io(std::make_shared<baton::asio::poller>()) {}

program::program() : application(without_signals()) {
  on_diagnostic([this](const std::string& text) { told += text + "\n"; });
}
void program::serve_http(const http_limits& l, const tcp_place& at) {
  add<beast_http_server, http_server>(at, l);
}
void program::serve_tcp(const tcp_handler& serve, const tcp_limits& l, const tcp_place& at) {
  add<asio_tcp_server, tcp_server>(serve, at, l);
}
void program::add_clients(const http_client_limits& l, const tcp_times& t) {
  add<beast_http_client, http_client>(l);
  add<asio_tcp_client, tcp_client>(t);
}
int program::run() {
  return application::run(*io);
}

async::task<std::string> exchange(tcp_client& by, uint16_t port, std::string text, bool ends_writing) {
  tcp_opened to = co_await by.connect(tcp_place(port));
  if (!to) co_return "no connection";
  static_cast<void>(co_await to.connection->write(text));  // a server that refuses may not read all
  if (ends_writing) to.connection->end_writing();
  std::string all;
  char some[4096];
  for (;;) {
    const tcp_result got = co_await to.connection->read_some(some);
    all.append(some, got.bytes);
    if (got.ended == status::timed_out) co_return all + "timed_out";
    if (!got) co_return all;
  }
}

std::string answers_in(const std::string& text) {
  std::string all;
  for (size_t at = text.find("HTTP/1."); at != std::string::npos; at = text.find("HTTP/1.", at + 1)) {
    const size_t end = text.find('\r', at);
    if (end == std::string::npos || end < at + 9) return all + "|no line";
    all += (all.empty() ? "" : "|") + text.substr(at + 9, end - at - 9);
  }
  return all;
}

void check_sums(const http_counters& n) {
  CHECK_EQ(n.open, 0u);
  CHECK_EQ(n.connections, n.ends());
  CHECK_EQ(n.requests, n.answers());
}

}  // namespace network_test
