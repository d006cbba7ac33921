// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      baton::board::led::toggle();
      BATON_YIELD();
    }
    BATON_END();
  }
};

static body first, second;

int main() {
  baton::board::start();
  first.start();
  second.start();
  baton::scheduler::run();
}
