// SPDX-License-Identifier: MIT
//
// A server that answers each ping with a pong, and a client, over HTTP on the loopback interface.
#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

/// Answers POST /ping.
struct ponger {
  ponger(required<http_server> s, context here)
      : ping(s->route(here, "POST", "/ping", [this](http_request r) { return answer(std::move(r)); })) {}

  async::task<http_response> answer(http_request r) {
    if (r.body.substr(0, 5) != "ping ") co_return http_response(400, "That is no ping.");
    co_return http_response(200, "pong " + r.body.substr(5) + " for the " + std::to_string(++pings) + ". time");
  }
  int pings = 0;
  http_route ping;
};

/// Sends pings, and prints the answers.
struct pinger {
  pinger(required<http_client> c, required<http_server> s, required<ponger>, context here) {
    here.spawn(play(c, s, here));
  }

  static async::task<> play(required<http_client> client, required<http_server> server, context here) {
    const tcp_place there(server->port());
    for (const char* const text : {"ping a", "ping b", "pang c"}) {
      const http_reply r = co_await client->post(there, "/ping", text);
      std::printf("%s: %d, %s\n", text, r.response.status, r.response.body.c_str());
    }
    const http_reply r = co_await client->get(there, "/pong");
    std::printf("/pong: %d\n", r.response.status);
    here.quit();
  }
};

int main() {
  application app;
  app.add<beast_http_server, http_server>();  // on the loopback interface, at a free port
  app.add<beast_http_client, http_client>();
  app.add<ponger>();
  app.add<pinger>();
  baton::asio::poller io;
  const int code = app.run(io);
  std::puts("all have ended");
  return code;
}
