// SPDX-License-Identifier: MIT
// An HTTP server is harmed by clients. The argument chooses the case.
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

std::atomic<size_t> diagnostics = 0;

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
} const cases[] = {{"descriptors", descriptors}};

}  // namespace

int main(int, char** arguments) {
  http_limits limits;
  limits.connections = 4;
  std::jthread client;
  application app;
  app.on_diagnostic([](const std::string&) { ++diagnostics; });
  app.add<beast_http_server, http_server>(tcp_place(), limits);
  struct player {
    player(required<http_server> s, const std::function<void(uint16_t)>& play) { play(s->port()); }
  };
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
