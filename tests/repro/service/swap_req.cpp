// SPDX-License-Identifier: MIT
// A second provider of a required interface, added while the program runs, ends the program with
// code 12.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

struct logger {
  int lines = 0;
};

struct user {
  explicit user(required<logger>) {}
};

async::task<> replaces(context here) {
  static_cast<void>(co_await async::sleep_for(milliseconds(10)));
  const service_id successor = here.add<logger>();
  static_cast<void>(co_await here.started(successor));
  here.quit();
}

}  // namespace

int main() {
  application app;
  app.add<logger>();
  app.add<user>();
  app.main().run(replaces(app.main()));
  expect(app.run() == 0, "the successor is added before the old provider goes");
  return outcome_of_expectations();
}
