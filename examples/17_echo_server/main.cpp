// SPDX-License-Identifier: MIT
//
// Sockets and signals of Boost.Asio, awaited by coroutines of Baton: an echo server.
//
//     17_echo_server          the server and three clients of its own, over the loopback interface
//     17_echo_server 7000     the server alone, there, until Ctrl-C; try it with: nc localhost 7000
#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>
#include <stdlib.h>
#include <string>

#include "../support/say.hpp"

using namespace baton::literals;
namespace async = baton::async;
namespace net = boost::asio;

using baton::asio::use_baton;
using net::ip::tcp;

/// Serves one client until it hangs up, or sends nothing for a minute, or the server stops.
async::task<> serve(tcp::socket client) {
  char text[1024];
  for (;;) {
    auto [error, got] = co_await async::within(60_s, client.async_read_some(net::buffer(text), use_baton));
    if (error) co_return;
    auto [lost, put] = co_await net::async_write(client, net::buffer(text, got), use_baton);
    if (lost) co_return;
  }
}

/// Serves each client in a coroutine of its own. Ends when those have ended: their scope passes a
/// stop on to them.
async::task<> accept(tcp::acceptor& door) {
  async::scope clients;
  for (;;) {
    auto [error, client] = co_await door.async_accept(use_baton);
    if (error == baton::status::cancelled) break;
    if (!error) clients.spawn(serve(std::move(client)));
  }
  co_await clients.join();
}

async::task<> stop_on_signal(async::loop& all) {
  net::signal_set signals(baton::asio::context(), SIGINT, SIGTERM);
  auto [error, number] = co_await signals.async_wait(use_baton);
  if (error) co_return;
  say("signal ", number, ": stops");
  all.stop();
}

/// Sends each line and waits for its echo.
async::task<> talk(tcp::endpoint to, std::string lines, uint8_t times, std::string& heard) {
  tcp::socket server(baton::asio::context());
  (co_await server.async_connect(to, use_baton)).value();
  for (uint8_t i = 0; i < times; ++i) {
    (co_await net::async_write(server, net::buffer(lines), use_baton)).value();
    std::string echo(lines.size(), ' ');
    (co_await net::async_read(server, net::buffer(echo), use_baton)).value();
    heard += echo;
  }
}

async::task<> demonstrate(tcp::endpoint server, async::loop& all) {
  std::string heard[3];
  async::scope clients;
  clients.spawn(talk(server, "ping ", 3, heard[0]));
  clients.spawn(talk(server, "echo ", 5, heard[1]));
  clients.spawn(talk(server, std::string(100000, 'x'), 10, heard[2]));
  co_await clients.join();
  say("the first heard ", heard[0].c_str());
  say("the second heard ", heard[1].c_str());
  say("the third heard ", heard[2].size(), " bytes");
  all.stop();
}

int main(int count, char** words) {
  baton::board::start();
  baton::asio::poller io;
  async::loop all(io);
  const uint16_t port = static_cast<uint16_t>(count > 1 ? strtoul(words[1], nullptr, 10) : 0);
  tcp::acceptor door(io.context(), {net::ip::address_v4::loopback(), port});
  all.spawn(accept(door));
  all.spawn(stop_on_signal(all));
  if (!port) all.spawn(demonstrate(door.local_endpoint(), all));
  all.run();
  say("all have ended");
  baton::board::finish(0);
}
