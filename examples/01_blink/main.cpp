// SPDX-License-Identifier: MIT
//
// The first program: a coroutine that blinks the board's LED for ever.
#include <baton/board.hpp>
#include <baton/core.hpp>

baton::board::console console;

struct blink : baton::coroutine<blink, baton::timed> {  // the base `timed` adds delays
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = !lit_;
      baton::board::led::set(lit_);
      baton::print_line(console, lit_ ? "on" : "off");
      BATON_DELAY_MS(200);  // other coroutines run meanwhile; if none is ready, the processor sleeps
    }
    BATON_END();
  }

  bool lit_ = false;  // a member, because it has to live across a delay; a local would not
};

blink blinker;

int main() {
  baton::board::start();
  blinker.start();
  baton::scheduler::run();
}
