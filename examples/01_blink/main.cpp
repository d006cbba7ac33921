// SPDX-License-Identifier: MIT
//
// The first program: a coroutine that blinks the board's LED for ever.
#include <baton/board.hpp>
#include <baton/core.hpp>

#include "../support/say.hpp"

struct blink : baton::coroutine<blink, baton::timed> {  // `timed` is what adds delays
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = !lit_;
      baton::board::led::set(lit_);
      say(lit_ ? "on  at " : "off at ", about_ms(), " ms");
      BATON_DELAY_MS(200);  // others run meanwhile; with nobody ready the processor sleeps
    }
    BATON_END();
  }

  bool lit_ = false;  // what must live across a delay is a member, not a local
};

blink blinker;

int main() {
  baton::board::start();
  blinker.start();
  baton::scheduler::run();
}
