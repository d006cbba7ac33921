// SPDX-License-Identifier: MIT
// Waits that end at once never yield: a timer that is due waits behind millions of them.
// Issue: Async.
#include "reproduction.hpp"

namespace {

bool is_over = false;
int timers = 0;
long turns = 0;

task<> never_waits(channel<int, 4>& c) {
  int value = 0;
  while (!is_over && turns <= 2000000) {
    static_cast<void>(co_await c.send(1));
    static_cast<void>(co_await c.receive(value));
    ++turns;
  }
}

task<> timer() {
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(co_await async::sleep_for(microseconds(100)));
    ++timers;
  }
  is_over = true;
}

}  // namespace

int main() {
  channel<int, 4> c;
  async::loop l;
  l.spawn(never_waits(c));
  l.spawn(timer());
  l.run();
  std::printf("waits that ended at once: %ld\n", turns);
  expect(turns < 1000000, "five timers of 100 us have their turn before a million waits that end at once");
  return outcome_of_expectations();
}
