// SPDX-License-Identifier: MIT
//
// As log_bin_profiler, with a second coroutine that prints the histogram as a table on the console,
// once per second.
#include "coroutines.hpp"

static baton::profiled<delaying<1>> a;
static baton::profile of_a;

struct printing : baton::coroutine<printing, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      print();
      BATON_DELAY_S(1);
    }
    BATON_END();
  }

  static void print() {
    baton::board::console console;
    const baton::profile* all[] = {&of_a};
    baton::print_profile_table(console, all, 1);
  }
};
static printing b;

int main() {
  of_a.name = BATON_TEXT("profiled");
  start();
  a.attach(of_a);
  a.start();
  b.start();
  baton::scheduler::run();
}
