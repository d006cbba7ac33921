// SPDX-License-Identifier: MIT
// A service_id of another worker is taken for one's own: the wrong service is removed.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

bool is_quitting = false;

struct important {
  void stop() { expect(is_quitting, "the service of the main worker is not removed by another's id"); }
};
struct unimportant {};

async::task<> removes(context here, service_id of_other) {
  static_cast<void>(co_await async::sleep_for(milliseconds(10)));
  here.remove(of_other);
  static_cast<void>(co_await async::sleep_for(milliseconds(10)));
  is_quitting = true;
  here.quit();
}

}  // namespace

int main() {
  application app;
  const context other = app.add_worker("other");
  app.add<important>();
  const service_id of_other = other.add<unimportant>();
  app.main().run(removes(app.main(), of_other));
  expect(app.run() == 0, "the program ends well");
  return outcome_of_expectations();
}
