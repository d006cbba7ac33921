// SPDX-License-Identifier: MIT
// `within(t, scope.join())` on a scope that has ended says `timed_out` for ever, if it has timed
// out once.
// Issue: Async.
#include "reproduction.hpp"

namespace {

int rounds = 0;
bool has_ended = false;

task<> child() {
  static_cast<void>(co_await async::sleep_for(milliseconds(15)));
}

task<> parent() {
  async::scope s;
  s.spawn(child());
  for (int i = 0; i < 10; ++i) {
    const status how = co_await async::within(milliseconds(10), s.join());
    ++rounds;
    if (how == status::ok) {
      has_ended = true;
      co_return;
    }
    static_cast<void>(co_await async::sleep_for(milliseconds(10)));  // the child ends here
  }
}

}  // namespace

int main() {
  async::loop l;
  l.spawn(parent());
  l.run();
  expect(has_ended, "the join says that the scope has ended");
  expect(rounds == 2, "at the second time");
  return outcome_of_expectations();
}
