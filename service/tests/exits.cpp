// SPDX-License-Identifier: MIT
//
// exits WAY: a program that ends in the named way, for tests that look at its exit code and at
// standard error.
#include <baton/service.hpp>
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>

using namespace baton::service;

namespace {

struct logger {};
struct user {
  explicit user(required<logger>) {}
};
struct noted {
  noted() { std::puts("starts"); }
  ~noted() { std::puts("stops"); }
};
struct raises {
  explicit raises(int number) : signal(number) {}
  void start() const { kill(getpid(), signal); }  // to the process, as a shell does

  int signal;
};
/// A service that touches another worker once that runs.
struct carrier {
  context to;
};
/// Looks at that worker.
struct onlooker {
  explicit onlooker(carrier c) : foreign(c.to) {}
  void start() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    static_cast<void>(foreign.worker().snapshot());
  }
  context foreign;
};
struct intruder {
  explicit intruder(carrier c) : foreign(c.to) {}
  void start() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    foreign.spawn([]() -> baton::async::task<> { co_return; }());
  }
  context foreign;
};

}  // namespace

int main(int, char** arguments) {
  const char* const what = arguments[1];
  application app;
  app.add<noted>();
  if (!std::strcmp(what, "missing")) app.add<user>();
  if (!std::strcmp(what, "interrupt")) app.add<raises>(SIGINT);
  if (!std::strcmp(what, "terminate")) app.add<raises>(SIGTERM);
  if (!std::strcmp(what, "thread")) {
    app.add_worker("other").add<intruder>(carrier{app.main()});
  }
  if (!std::strcmp(what, "onlooker")) {
    app.add_worker("other").add<onlooker>(carrier{app.main()});
  }
  return app.run();
}
