// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

/// A byte for each copy of the function that the program holds.
// NOLINTNEXTLINE(readability-identifier-naming): the linker gives the names
extern "C" const char __start_copies[], __stop_copies[];

namespace {

volatile int sink;

// As large as a function that prints a number.
void print(int number) {
  __asm__ volatile(".pushsection copies, \"a\"\n.byte 1\n.popsection");
  for (int i = 0; i < number; ++i) {
    sink = sink * 7 + i;
    if (sink % 3 == 0) sink = sink / 5;
    if (sink % 11 == 2) sink = sink + number;
  }
}

struct sketch : coroutine<sketch> {
  point step(point at) {
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

}  // namespace

TEST_CASE("a program holds one copy of a function that a step calls at several places") {
  sketch s;
  s.start();
  scheduler::run();
  CHECK_EQ(__stop_copies - __start_copies, 1);
}
