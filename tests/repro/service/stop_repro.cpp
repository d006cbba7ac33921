// SPDX-License-Identifier: MIT
// A coroutine that ignores the outcome of its sleep keeps the program for ever, past every limit of
// the stop.
// Issue: Services and network, with the stop of issue Async.
#include <unistd.h>

#include "reproduction.hpp"

namespace {

struct ticker {
  explicit ticker(context here) { here.spawn(run()); }
  static async::task<> run() {
    for (;;) static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  }
};

struct quitter {
  explicit quitter(context here) {
    std::puts("quits");
    std::fflush(stdout);
    here.quit();
  }
};

}  // namespace

int main() {
  ::alarm(2);  // ends the program when it has not ended by then
  options o;
  o.shutdown_limit = milliseconds(100);
  application app(o);
  app.add<ticker>();
  app.add<quitter>();
  app.run();
  return 0;
}
