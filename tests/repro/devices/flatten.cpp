// SPDX-License-Identifier: MIT
// All that a step function calls becomes a part of it, a copy for each call, whatever its size.
// Issue: Devices.
#include <baton/core.hpp>
#include <stdio.h>

/// A byte for each copy of the function that the program holds.
extern "C" const char __start_copies[], __stop_copies[];

static volatile int sink;

// As large as a function that prints a number.
static void print(int number) {
  __asm__ volatile(".pushsection copies, \"a\"\n.byte 1\n.popsection");
  for (int i = 0; i < number; ++i) {
    sink = sink * 7 + i;
    if (sink % 3 == 0) sink = sink / 5;
    if (sink % 11 == 2) sink = sink + number;
  }
}

struct sketch : baton::coroutine<sketch> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    print(1);
    BATON_YIELD();
    print(2);
    BATON_YIELD();
    print(3);
    print(4);
    BATON_END();
  }
};
static sketch the_sketch;

int main() {
  the_sketch.start();
  baton::scheduler::run();
  const long copies = static_cast<long>(__stop_copies - __start_copies);
  if (copies == 1) return 0;
  printf("failed: the program has %ld copies of a function that a step calls\n", copies);
  return 1;
}
