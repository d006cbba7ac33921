// SPDX-License-Identifier: MIT
// error g++ avr-g++: jump to case label
// error clang++: cannot jump from switch statement to this case label
// lines: 19
#include <baton/core.hpp>

struct log_entry {
  log_entry() : line(1) {}
  int line;
};

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    log_entry entry;
    BATON_YIELD();
#else
    BATON_YIELD();
    {
      log_entry entry;
      static_cast<void>(entry);
    }
    BATON_YIELD();
#endif
    BATON_END();
  }
} it;
