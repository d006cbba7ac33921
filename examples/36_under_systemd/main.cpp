// SPDX-License-Identifier: MIT
//
// A web server as a unit of systemd: its socket is systemd's, it says when it is ready and that it
// lives, and it answers the requests in flight before it ends.
//
//     36_under_systemd             asks itself, and ends
//     36_under_systemd serve       serves until SIGTERM: weather.service and weather.socket run it
#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/components/systemd_notifier.hpp>
#include <baton/components/systemd_socket.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::literals;
using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

/// Measures for a while before it answers.
struct station {
  station(required<http_server> s, context here) : weather(s->route(here, "GET", "/weather", measure)) {}

  static async::task<http_response> measure(const http_request&) {
    static_cast<void>(co_await async::sleep_for(200_ms));
    co_return http_response(200, "sunny\n");
  }
  http_route weather;
};

/// Asks, and lets the program end meanwhile.
struct visitor {
  visitor(required<http_client> c, required<http_server> s, required<station>, context here) {
    here.spawn(visit(c, tcp_place(s->port()), here));
  }
  static async::task<> visit(required<http_client> client, tcp_place there, context here) {
    here.spawn(quit_soon(here));
    const http_reply got = co_await client->get(there, "/weather");
    std::printf("%d %s", got.response.status, got.response.body.c_str());
  }
  static async::task<> quit_soon(context here) {
    static_cast<void>(co_await async::sleep_for(100_ms));
    std::puts("the program ends");
    here.quit();
  }
};

int main(int count, char**) {
  application app;
  app.add<systemd_notifier>();
  app.add<beast_http_server, http_server>(systemd_socket("weather", tcp_place()));
  app.add<station>();
  if (count == 1) {
    app.add<beast_http_client, http_client>();
    app.add<visitor>();
  }
  baton::asio::poller io;
  return app.run(io);
}
