// SPDX-License-Identifier: MIT
// One allocation that fails while a server answers ends the whole program, not the connection
// alone.
// Issue: Services and network.
#include <sys/wait.h>

#include <atomic>
#include <baton/components/beast_http_server.hpp>
#include <cstdlib>
#include <functional>
#include <new>
#include <thread>

#include "reproduction.hpp"

namespace {

std::atomic<bool> is_counting = false;
thread_local long countdown = -1;  // of the server's thread

void* get(std::size_t bytes) {
  if (is_counting && countdown >= 0 && countdown-- == 0) return nullptr;
  return std::malloc(bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = get(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return get(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

using namespace baton::components;

namespace {

struct page {
  page(required<http_server> s, context here, const std::function<void(uint16_t)>& play)
      : route(s->route(here, "GET", "/",
                       [](http_request) -> async::task<http_response> { co_return http_response(200, "hello"); })) {
    play(s->port());
  }
  http_route route;
};

// A server's work with the n-th allocation refused, in a process of its own.
int serve_without(long n) {
  std::jthread client;
  options o;
  o.ends_at_signals = false;
  application app(o);
  app.add<beast_http_server, http_server>();
  app.add<page>(std::function<void(uint16_t)>([&](uint16_t port) {
    client = std::jthread([&, port] {
      is_counting = true;
      for (int i = 0; i != 3; ++i) {
        const peer asker;
        asker.connect(port);
        asker.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        static_cast<void>(asker.read());
      }
      is_counting = false;
      app.quit();
    });
  }));
  baton::asio::poller io;
  countdown = n;
  app.run(io);
  return 0;
}

}  // namespace

int main() {
  int ended_by_signal = 0;
  for (long n = 0; n < 20; ++n) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(10);
      std::freopen("/dev/null", "w", stderr);
      std::_Exit(serve_without(n));
    }
    int how = 0;
    ::waitpid(child, &how, 0);
    if (WIFSIGNALED(how)) {
      std::printf("allocation %ld refused: signal %d\n", n, WTERMSIG(how));
      ++ended_by_signal;
    }
  }
  expect(ended_by_signal == 0, "no refused allocation ends the program");
  return outcome_of_expectations();
}
