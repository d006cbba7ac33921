// SPDX-License-Identifier: MIT
// After a SIGUSR2 from outside, SIGTERM no longer ends the program.
// Issue: Services and network.
#include <csignal>
#include <unistd.h>

#include "reproduction.hpp"

namespace {

// The process gets both signals as from outside; an alarm ends it when it has not ended by then.
async::task<> signal_both() {
  ::kill(::getpid(), SIGUSR2);
  static_cast<void>(co_await async::sleep_for(milliseconds(200)));
  ::alarm(2);
  std::puts("SIGTERM");
  std::fflush(stdout);
  ::kill(::getpid(), SIGTERM);
}

}  // namespace

int main() {
  application app;
  app.main().run(signal_both());
  app.run();
  return 0;
}
