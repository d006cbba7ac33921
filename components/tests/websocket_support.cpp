// SPDX-License-Identifier: MIT
#include "websocket_support.hpp"

#include <baton/components/beast_websocket_client.hpp>
#include <baton/components/beast_websocket_server.hpp>

namespace network_test {

void serve_websockets(program& by, const websocket_server_limits& l, const tcp_place& at) {
  by.add<beast_websocket_server, websocket_server>(at, l);
}
void add_websocket_clients(program& by, const websocket_limits& l, baton::duration patience) {
  by.add<beast_websocket_client, websocket_client>(l, patience);
}

std::string opening(const std::string& target, const std::string& more) {
  return "GET " + target +
         " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         more + "\r\n";
}

static std::string head_of(unsigned first, size_t bytes, unsigned mask) {
  std::string all(1, static_cast<char>(first));
  if (bytes < 126) {
    all += static_cast<char>(mask | bytes);
  } else {
    const bool is_long = bytes > 0xffff;
    all += static_cast<char>(mask | (is_long ? 127u : 126u));
    for (int shift = is_long ? 56 : 8; shift >= 0; shift -= 8) all += static_cast<char>((bytes >> shift) & 0xff);
  }
  return all;
}
std::string masked_frame(unsigned first, const std::string& payload) {
  static const std::string key = "\x01\x7f\xaa\x33";
  std::string all = head_of(first, payload.size(), 0x80) + key;
  for (size_t i = 0; i != payload.size(); ++i) all += static_cast<char>(payload[i] ^ key[i % 4]);
  return all;
}
std::string plain_frame(unsigned first, const std::string& payload) {
  return head_of(first, payload.size(), 0) + payload;
}

async::task<std::string> raw_client::open(tcp_client& by, uint16_t port, std::string target, std::string more) {
  to = co_await by.connect(tcp_place(port));
  if (!to) co_return "no connection";
  static_cast<void>(co_await to.connection->write(opening(target, more)));
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    char c = 0;
    const tcp_result got = co_await to.connection->read({&c, 1});
    if (!got) co_return head + "|" + std::to_string(static_cast<int>(got.ended));
    head += c;
  }
  co_return head.substr(9, 3);
}
async::task<> raw_client::write(std::string bytes) {
  static_cast<void>(co_await to.connection->write(bytes));  // a server that refuses may not read all
}
async::task<std::string> raw_client::read(size_t bytes) {
  std::string all(bytes, ' ');
  const tcp_result got = co_await to.connection->read(all);
  all.resize(got.bytes);
  co_return got ? all : all + "|" + std::to_string(static_cast<int>(got.ended));
}
async::task<std::string> raw_client::rest() {
  std::string all;
  char some[4096];
  for (;;) {
    const tcp_result got = co_await to.connection->read_some(some);
    all.append(some, got.bytes);
    if (!got) co_return got.ended == status::closed ? all : all + "|timed out";
  }
}

void check_sums(const websocket_counters& n) {
  CHECK_EQ(n.open, 0u);
  CHECK_EQ(n.connections, n.ends());
}

async::task<> wait_until_open(websocket_server& s, uint64_t n) {
  for (int i = 0; i != 5000 && s.counters().open != n; ++i) co_await async::sleep_for(milliseconds(1));
  CHECK_EQ(s.counters().open, n);
}

}  // namespace network_test
