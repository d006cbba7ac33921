// SPDX-License-Identifier: MIT
// The program tells neither the failure of a service that may fail nor the restart of a supervised
// one.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

struct fails_later {
  explicit fails_later(context here) { here.spawn(fails()); }
  static async::task<> fails() {
    static_cast<void>(co_await async::sleep_for(milliseconds(1)));
    throw std::runtime_error("disk full");
  }
};

struct fails_at_start {
  void start() { throw std::runtime_error("no such file"); }
};

}  // namespace

int main() {
  application app;
  app.add<fails_later>().may_fail();
  app.add<fails_at_start>().supervised(back_off{milliseconds(1), milliseconds(4), 5}).may_fail();
  app.main().run(quit_after(milliseconds(100), app.main()));
  const int code = app.run();
  std::printf("nothing else is said, and the code is %d\n", code);
  return 0;
}
