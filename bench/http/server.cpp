// SPDX-License-Identifier: MIT
//
// Baton's server as a program: GET /hello at a port of the loopback interface, by one worker or by
// several, until SIGTERM.
#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/service.hpp>
#include <cstdio>
#include <cstdlib>

using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

namespace {

struct greeter {
  greeter(required<http_server> s, context here) : hello(s->route(here, "GET", "/hello", greet)) {
    std::printf("%d\n", s->port());
    std::fflush(stdout);
  }
  static async::task<http_response> greet(http_request) { co_return http_response(200, "hello\n"); }

  http_route hello;
};

}  // namespace

int main(int count, char** words) {
  const tcp_place at(static_cast<uint16_t>(count > 1 ? std::strtoul(words[1], nullptr, 10) : 0));
  const unsigned long workers = count > 2 ? std::strtoul(words[2], nullptr, 10) : 1;
  application app;
  if (workers == 1) {
    app.add<beast_http_server, http_server>(at);
    app.add<greeter>();
  }
  for (unsigned long i = 0; workers > 1 && i != workers; ++i) {
    auto own = app.add_worker("http" + std::to_string(i), network_over<baton::asio::poller>);
    own.add<beast_http_server, http_server>(at.shared());
    own.add<greeter>();
  }
  baton::asio::poller io;
  return app.run(io);
}
