// SPDX-License-Identifier: MIT
#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <cstdio>
#include <string>

using namespace std::chrono_literals;
using namespace boost::asio::experimental::awaitable_operators;
namespace net = boost::asio;
using net::as_tuple;
using net::use_awaitable;
using socket_type = net::local::stream_protocol::socket;

net::awaitable<void> sleep_for(std::chrono::milliseconds length) {
  net::steady_timer timer(co_await net::this_coro::executor, length);
  co_await timer.async_wait(use_awaitable);
}

net::awaitable<void> speak(socket_type& to) {
  co_await sleep_for(20ms);
  auto [error, sent] = co_await net::async_write(to, net::buffer(std::string("hello")), as_tuple(use_awaitable));
  if (error) std::puts("nobody listens");
}

net::awaitable<void> listen(socket_type& from) {
  char text[64];
  for (;;) {
    auto first = co_await (from.async_read_some(net::buffer(text), as_tuple(use_awaitable)) || sleep_for(200ms));
    if (first.index() == 1) break;
    auto [error, got] = std::get<0>(first);
    if (error) co_return;
    std::printf("heard %.*s\n", static_cast<int>(got), text);
  }
  std::puts("silence for 200 ms");
}

int main() {
  net::io_context io(1);
  socket_type here(io), there(io);
  net::local::connect_pair(here, there);
  net::co_spawn(io, speak(here), net::detached);
  net::co_spawn(io, listen(there), net::detached);
  io.run();
}
