// SPDX-License-Identifier: MIT
//
// A coroutine with delays, over core and the port of Linux.
#include <baton/core.hpp>
#include <stdio.h>

struct counter : baton::coroutine<counter, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i_ = 0; i_ < 3; ++i_) {
      printf("%d ", i_);
      BATON_DELAY_US(10);
    }
    BATON_END();
  }
  int i_ = 0;
};

static counter the_counter;

int main() {
  the_counter.start();
  while (!the_counter.is_done()) baton::scheduler::run_one();
  return 0;
}
