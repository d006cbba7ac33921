// SPDX-License-Identifier: MIT
//
// The floor as a program: GET /hello at a port of the loopback interface, until SIGTERM.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "server.hpp"

int main(int count, char** words) try {
  namespace net = http_floor::net;
  net::io_context context(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  http_floor::server at(context, static_cast<uint16_t>(count > 1 ? std::strtoul(words[1], nullptr, 10) : 0));
  at.route("GET", "/hello", [](http_floor::request&, const http_floor::reply& to) {
    to->answer(http_floor::session::made(200, "hello\n"));
  });
  net::signal_set ends(context, SIGTERM, SIGINT);
  ends.async_wait([&](boost::system::error_code, int) { context.stop(); });
  std::printf("%d\n", at.port());
  std::fflush(stdout);
  context.run();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
