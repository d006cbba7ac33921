// SPDX-License-Identifier: MIT
//
// A service that serves a path by WebSocket, and a client of it.
#include <baton/asio/poller.hpp>
#include <baton/components/beast_websocket_client.hpp>
#include <baton/components/beast_websocket_server.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

/// Sends back each message, until the client closes or the service stops.
struct parrot {
  parrot(required<websocket_server> s, context here) : path(s->route(here, "/parrot", repeat)) {}

  static async::task<> repeat(websocket& client) {
    while (const websocket_message m = co_await client.receive()) {
      if (co_await client.send_text(m.data) != baton::status::ok) break;
    }
    std::printf("closed with %d: %s\n", client.end().code, client.end().reason.c_str());
  }
  websocket_route path;
};

struct talker {
  talker(required<parrot>, required<websocket_client> c, required<websocket_server> s, context here) {
    here.spawn(talk(c, s->port(), here));
  }

  static async::task<> talk(required<websocket_client> client, uint16_t port, context here) {
    websocket_opened parrot = co_await client->connect(tcp_place(port), "/parrot");
    for (const std::string text : {"Good morning.", "Is anybody there?", "Good night."}) {
      static_cast<void>(co_await parrot.connection->send_text(text));  // the receive says how it ended
      const websocket_message back = co_await parrot.connection->receive();
      std::printf("%s\n", back.data.c_str());
    }
    static_cast<void>(co_await parrot.connection->close(1000, "enough"));
    const websocket_opened nobody = co_await client->connect(tcp_place(port), "/crow");
    std::printf("%s\n", nobody.why.c_str());
    here.quit();
  }
};

int main() {
  application app;
  app.add<beast_websocket_server, websocket_server>();  // on the loopback interface, at a free port
  app.add<beast_websocket_client, websocket_client>();
  app.add<parrot>();
  app.add<talker>();
  baton::asio::poller io;
  const int code = app.run(io);
  std::puts("all have ended");
  return code;
}
