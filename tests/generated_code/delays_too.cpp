// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>

struct body : baton::coroutine<body, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::led::toggle();
      BATON_DELAY_MS(500);
    }
    BATON_END();
  }
};

static body blink;

int main() {
  baton::board::start();
  blink.start();
  baton::scheduler::run();
}
