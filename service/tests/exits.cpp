// SPDX-License-Identifier: MIT
//
// exits WAY: a program that ends in the named way, for tests that look at its exit code and at
// standard error.
#include <baton/service.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
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
/// Another signal, which the program handles by itself, comes before the end.
struct raises_between : raises {
  explicit raises_between(int n) : raises(SIGTERM), first(n) {}
  void start() const {
    std::signal(first, [](int) {});
    kill(getpid(), first);
    raises::start();
  }
  int first;
};
/// Prints what a program that this one starts gets of its signals, and how a forked process ends.
struct parent {
  explicit parent(context c) : here(c) {}
  void start() {
    std::fflush(stdout);
    if (std::system("grep SigBlk /proc/self/status | tr -d '\\t\\n'; echo") != 0) std::puts("no status");
    const pid_t child = fork();
    if (child == 0) {
      kill(getpid(), SIGTERM);
      _exit(1);
    }
    int how = 0;
    waitpid(child, &how, 0);
    std::printf("forked: signal %d\n", WIFSIGNALED(how) ? WTERMSIG(how) : 0);
    here.quit(0);
  }
  context here;
};
/// Does not stop before the limit of the shutdown. A second signal comes.
struct stubborn {
  void start() const { kill(getpid(), SIGTERM); }
  static baton::async::task<> stop() {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(getpid(), SIGINT);
    }).detach();
    static_cast<void>(co_await baton::async::sleep_for(baton::seconds(20)));
  }
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
  const bool is_told = !std::strcmp(what, "told");
  if (!std::strcmp(what, "background")) std::signal(SIGINT, SIG_IGN);
  application app({.tells_signal = is_told});
  app.add<noted>();
  if (!std::strcmp(what, "missing")) app.add<user>();
  if (!std::strcmp(what, "interrupt")) app.add<raises>(SIGINT);
  if (!std::strcmp(what, "terminate")) app.add<raises>(SIGTERM);
  if (is_told) app.add<raises>(SIGTERM);
  if (!std::strcmp(what, "rotate")) app.add<raises_between>(SIGUSR2);
  if (!std::strcmp(what, "background")) app.add<raises>(SIGINT), app.add<raises>(SIGTERM);
  if (!std::strcmp(what, "parent")) app.add<parent>(app.main());
  if (!std::strcmp(what, "twice")) app.add<stubborn>();
  if (!std::strcmp(what, "thread")) {
    app.add_worker("other").add<intruder>(carrier{app.main()});
  }
  if (!std::strcmp(what, "onlooker")) {
    app.add_worker("other").add<onlooker>(carrier{app.main()});
  }
  return app.run();
}
