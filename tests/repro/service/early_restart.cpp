// SPDX-License-Identifier: MIT
// A start by hand during the back-off, and a second failure: the end of the first pause restarts
// the service too early.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

int starts = 0;

struct fragile {
  void start() {
    ++starts;
    throw std::runtime_error("boom");
  }
};

// The pauses are 100 and 200 ms: started at 0, by hand at 20, and next at 220.
async::task<> play(context here, service_id service) {
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  here.start(service);
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  expect(starts == 2, "started by hand");
  static_cast<void>(co_await async::sleep_for(milliseconds(100)));
  expect(starts == 2, "the pause after the second failure is twice as long");
  here.quit();
}

}  // namespace

int main() {
  application app;
  const service_id service = app.add<fragile>().supervised(back_off{milliseconds(100), seconds(30), 6});
  app.main().run(play(app.main(), service));
  app.run();
  return outcome_of_expectations();
}
