// SPDX-License-Identifier: MIT
#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <string>

using namespace baton::literals;
namespace async = baton::async;
namespace net = boost::asio;
using baton::asio::use_baton;
using socket_type = net::local::stream_protocol::socket;

async::task<> speak(socket_type& to) {
  static_cast<void>(co_await async::sleep_for(20_ms));
  auto [error, sent] = co_await net::async_write(to, net::buffer(std::string("hello")), use_baton);
  if (error) std::puts("nobody listens");
}

async::task<> listen(socket_type& from) {
  char text[64];
  for (;;) {
    auto [error, got] = co_await async::within(200_ms, from.async_read_some(net::buffer(text), use_baton));
    if (error == baton::status::timed_out) break;
    if (error) co_return;
    std::printf("heard %.*s\n", static_cast<int>(got), text);
  }
  std::puts("silence for 200 ms");
}

int main() {
  baton::asio::poller io;
  socket_type here(io.context()), there(io.context());
  net::local::connect_pair(here, there);
  async::loop program(io);
  program.spawn(speak(here));
  program.spawn(listen(there));
  program.run();
}
