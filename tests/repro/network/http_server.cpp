// SPDX-License-Identifier: MIT
// An HTTP server takes requests that it has to refuse, and is harmed by clients. The argument
// chooses the case.
// Issue: Services and network.
#include <sys/resource.h>

#include <atomic>
#include <baton/components/beast_http_server.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "reproduction.hpp"

using namespace baton::components;

namespace {

std::atomic<bool> handler_ended = false;
std::atomic<size_t> diagnostics = 0;

/// `/` answers with the headers that it was sent; `/long` takes as long as it may.
struct pages {
  pages(required<http_server> s, context here)
      : page(s->route(here, "GET", "/", tell)),
        post(s->route(here, "POST", "/", tell)),
        long_page(s->route(here, "GET", "/long", take_long)) {}

  static async::task<http_response> tell(http_request r) {
    std::string all;
    for (const auto& h : r.headers) all += h.name + "=" + h.value + "\n";
    co_return http_response(200, all);
  }
  static async::task<http_response> take_long(http_request) {
    const baton::status slept = co_await async::sleep_for(seconds(10));
    handler_ended = slept != baton::status::ok;
    co_return http_response(200, "");
  }

  http_route page, post, long_page;
};

/// Sends a text and returns the answer.
std::string exchange(uint16_t port, std::string_view text) {
  const peer client;
  client.connect(port);
  client.send(text);
  client.end();
  return client.read();
}

// The last coding is not `chunked`, so the body has no end. The server takes the body for a
// request.
void smuggling(uint16_t port) {
  const std::string answers = exchange(port,
                                       "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n"
                                       "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(answers.starts_with("HTTP/1.1 400"), "a body without an end is refused");
}

void trailer(uint16_t port) {
  const std::string answer = exchange(port,
                                      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                                      "0\r\nX-Auth-User: admin\r\n\r\n");
  expect(answer.find("X-Auth-User") == std::string::npos, "a trailer is no header");
}

// A browser sends this for a page of another site whose name was bound to this machine.
void rebinding(uint16_t port) {
  const std::string answer = exchange(port, "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n");
  expect(!answer.starts_with("HTTP/1.1 200"), "a request for another host is refused");
}

// The server has four places.
void idle_clients(uint16_t port) {
  const peer idle[4];
  for (const peer& p : idle) p.connect(port);
  const std::string answer = exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(answer.starts_with("HTTP/1.1 200"), "connections that are idle give way");
}

void client_gone(uint16_t port) {
  {
    const peer client;
    client.connect(port);
    client.send("GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ::usleep(100'000);
    client.reset();
  }
  for (int i = 0; i != 50 && !handler_ended; ++i) ::usleep(10'000);
  expect(handler_ended, "a handler ends when its client has gone");
}

// Two connections can be accepted, and six wait.
void descriptors(uint16_t port) {
  const peer clients[8];
  const int next = ::dup(0);
  ::close(next);
  const rlimit all{static_cast<rlim_t>(next) + 2, 4096};
  ::setrlimit(RLIMIT_NOFILE, &all);
  for (const peer& c : clients) c.connect(port);
  for (int i = 0; i != 30 && diagnostics == 0; ++i) ::usleep(10'000);
  expect(diagnostics != 0, "a want of file descriptors is told");
}

struct {
  const char* name;
  void (*play)(uint16_t port);
} const cases[] = {{"smuggling", smuggling},       {"trailer", trailer},         {"rebinding", rebinding},
                   {"idle_clients", idle_clients}, {"client_gone", client_gone}, {"descriptors", descriptors}};

}  // namespace

int main(int, char** arguments) {
  http_limits limits;
  limits.connections = 4;
  std::jthread client;
  application app;
  app.on_diagnostic([](const std::string&) { ++diagnostics; });
  app.add<beast_http_server, http_server>(tcp_place(), limits);
  struct player {
    player(required<http_server> s, required<pages>, const std::function<void(uint16_t)>& play) { play(s->port()); }
  };
  app.add<pages>();
  app.add<player>(std::function<void(uint16_t)>([&](uint16_t port) {
    client = std::jthread([&, port] {
      for (const auto& c : cases) {
        if (std::string_view(c.name) == arguments[1]) c.play(port);
      }
      app.quit();
    });
  }));
  baton::asio::poller io;
  expect(app.run(io) == 0, "the program ends well");
  return outcome_of_expectations();
}
