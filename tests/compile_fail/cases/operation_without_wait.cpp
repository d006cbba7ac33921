// SPDX-License-Identifier: MIT
// error g++ clang++: ignoring return value|-Wunused-result
// silent avr-g++: 5.4 says nothing of an ignored object
// lines: 16
#include <baton/core.hpp>

baton::channel<int, 2> numbers;

struct body : baton::coroutine<body, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    numbers.receive(n_);
#else
    BATON_WAIT(numbers.receive(n_));
#endif
    BATON_END();
  }
  int n_ = 0;
} it;

void begin() {
  it.start();
}
