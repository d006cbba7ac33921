// SPDX-License-Identifier: MIT
//
// As scheduler_one_coroutine, with a profiler attached.
#include "coroutines.hpp"

static baton::profiled<delaying<1>> a;
static baton::profile of_a;

int main() {
  start();
  a.attach(of_a);
  a.start();
  baton::scheduler::run();
}
