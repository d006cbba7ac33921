// SPDX-License-Identifier: MIT
//
// A light that is on for 100 ms and off for 500 ms.
#include "program.hpp"

struct blinking : baton::coroutine<blinking, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::led::set(true);
      BATON_DELAY_MS(100);
      baton::board::led::set(false);
      BATON_DELAY_MS(500);
    }
    BATON_END();
  }
};
static blinking blink;

int main() {
  start();
  blink.start();
  baton::scheduler::run();
}
