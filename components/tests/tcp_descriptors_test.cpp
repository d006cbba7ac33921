// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <atomic>
#include <chrono>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include "want_of_memory/peer.hpp"

// Programs that are out of file descriptors, in a process each, because the limit is the process's.

using namespace network_test;
using want_of_memory::peer;

namespace {

/// Runs a function in a process of its own. Returns the number of expectations that did not hold;
/// -1: it did not end well.
int failures_of(int (*of)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    // A loop asks this before it sleeps for the first time, which opens a file for a moment: a
    // second thread that counts descriptors meanwhile would find one too many.
    baton::host::is_one_of_several_processors();
    std::_Exit(of());
  }
  int how = 0;
  ::waitpid(child, &how, 0);
  return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

struct expectations {
  void operator()(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    std::fflush(stdout);
    ++failures;
  }
  int failures = 0;
};

/// Lets the process open so many further descriptors.
void limit_to(unsigned further) {
  rlimit all{4096, 4096};
  ::setrlimit(RLIMIT_NOFILE, &all);
  const int next = ::dup(0);
  ::close(next);
  all.rlim_cur = static_cast<rlim_t>(next) + further;
  ::setrlimit(RLIMIT_NOFILE, &all);
}

double processor_ms() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

bool is_answered(peer& p) {
  p.send("a line\n");
  return p.read("\n") == "a line\n";
}

async::task<> echo(tcp_connection& with) {
  char some[64];
  for (;;) {
    const tcp_result got = co_await with.read_some(some);
    if (!got) co_return;
    const tcp_result sent = co_await with.write({some, got.bytes});
    if (!sent) co_return;
  }
}

/// Two connections can be accepted, and four wait. When the two have gone, the others are accepted.
int run_server() {
  expectations expect;
  tcp_counters counts;
  std::jthread client;
  program app;
  app.serve_tcp(echo);
  const auto begun = std::chrono::steady_clock::now();
  struct part {
    part(required<tcp_server> s, const std::function<void(tcp_server&)>& play) { play(*s); }
  };
  app.add<part>(std::function<void(tcp_server&)>([&](tcp_server& s) {
    client = std::jthread([&, port = s.port()] {
      peer clients[6];
      limit_to(2);
      for (peer& c : clients) c.connect(port);
      for (int i = 0; i != 2; ++i) expect(is_answered(clients[i]), "those that were accepted are served");
      const double before = processor_ms();
      ::usleep(300'000);
      expect(processor_ms() - before < 100, "the server does not spin");
      for (int i = 0; i != 2; ++i) expect(is_answered(clients[i]), "those that were accepted are served on");
      for (int i = 0; i != 4; ++i) {
        clients[i].close();
        expect(is_answered(clients[i + 2]), "those that waited are accepted");
      }
      app.post(app.main(), [&] {
        counts = s.counters();
        app.quit();
      });
    });
  }));
  expect(app.run() == 0, "the program ends well");
  expect(counts.connections == 6, "six connections are counted");
  // It tries every 10 ms, and once more after each of the six.
  const auto passed = std::chrono::steady_clock::now() - begun;
  const auto most = static_cast<uint64_t>(passed / std::chrono::milliseconds(10)) + 6;
  expect(counts.not_accepted > 0 && counts.not_accepted <= most, "the failures are counted");
  const auto count = [&](std::string_view words) {
    int n = 0;
    for (size_t at = app.told.find(words); at != std::string::npos; at = app.told.find(words, at + 1)) ++n;
    return n;
  };
  // Each of the four that wait ends a row if it is accepted alone. A client that goes frees its own
  // descriptor, too, so that two may be accepted at once.
  const int rows = count("Too many open files");
  expect(rows >= 1 && rows <= 5, "the want is told, once in a row");
  // Linux refuses a descriptor before it looks for a client, so a last want may have no end.
  const int lasting = rows - count("accepts connections again");
  expect(lasting == 0 || lasting == 1, "its end is told");
  return expect.failures;
}

int run_client() {
  expectations expect;
  program app;
  app.serve_tcp(echo);
  app.add_clients();
  using driving = driver<tcp_client, http_client, tcp_server>;
  app.add<driving>(driving::script([&](tcp_client& by, http_client& over, tcp_server& to) -> async::task<> {
    const tcp_place at(to.port());
    const tcp_opened first = co_await by.connect(at);
    expect(static_cast<bool>(first), "a client connects");
    limit_to(0);
    const tcp_opened second = co_await by.connect(at);
    expect(second.ended == status::closed && second.why == "Too many open files", "the reason is told");
    const http_reply third = co_await over.get(at, "/");
    expect(third.ended == status::closed && third.why == "Too many open files", "the reason is told over HTTP");
    limit_to(2);
    const tcp_opened fourth = co_await by.connect(at);
    expect(static_cast<bool>(fourth), "a client connects when there are descriptors again");
  }));
  expect(app.run() == 0, "the program ends well");
  return expect.failures;
}

}  // namespace

TEST_CASE("a server that is out of descriptors tells it, serves on, and accepts again") {
  CHECK_EQ(failures_of(&run_server), 0);
}

TEST_CASE("a client that is out of descriptors says so, and connects again") {
  CHECK_EQ(failures_of(&run_client), 0);
}
