// SPDX-License-Identifier: MIT
//
// A service that is a TCP server, with a dependency that its connections use; and a client.
#include <baton/asio/poller.hpp>
#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/asio_tcp_server.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

/// The number of bytes that were sent back.
struct tally {
  size_t bytes = 0;
};

/// Sends back the bytes that it receives, until the client hangs up or the service stops.
struct echo : asio_tcp_server {
  echo(required<tally> t, context here) : asio_tcp_server(here, [t](tcp_connection& c) { return serve(c, t); }) {}

  static async::task<> serve(tcp_connection& client, required<tally> count) {
    char text[64];
    for (;;) {
      const tcp_result got = co_await client.read_some(text);
      if (!got) co_return;
      if (!co_await client.write({text, got.bytes})) co_return;
      count->bytes += got.bytes;
    }
  }
};

struct talker {
  talker(required<tcp_client> c, required<tcp_server> s, required<tally> t, context here) {
    here.spawn(talk(c, s->port(), t, here));
  }

  static async::task<> talk(required<tcp_client> client, uint16_t port, required<tally> count, context here) {
    tcp_opened server = co_await client->connect(tcp_place(port));
    for (const std::string text : {"Good morning.", "Is anybody there?", "Good night."}) {
      std::string back(text.size(), ' ');
      if (!co_await server.connection->write(text) || !co_await server.connection->read(back)) break;
      std::printf("%s\n", back.c_str());
    }
    std::printf("%zu bytes\n", count->bytes);
    here.quit();
  }
};

int main() {
  application app;
  app.add<tally>();
  app.add<echo, tcp_server>();  // on the loopback interface, at a free port
  app.add<asio_tcp_client, tcp_client>();
  app.add<talker>();
  baton::asio::poller io;
  const int code = app.run(io);
  std::puts("all have ended");
  return code;
}
