#pragma once

#include <baton/core.hpp>

#include "pattern.hpp"

/// Blinks an LED in a pattern, and counts the flashes on the console.
///
/// `Led` has `set(bool)`, and `Console` has `put(char)`: those of the board in the program, others
/// in the test.
template <typename Led, typename Console>
struct blinker : baton::coroutine<blinker<Led, Console>, baton::timed> {
  static constexpr uint16_t step_ms = 250;

  explicit blinker(uint8_t lit_steps) : pattern_(lit_steps) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      show(pattern_.next());
      BATON_DELAY_MS(step_ms);  // others run meanwhile; if none is ready, the processor sleeps
    }
    BATON_END();
  }

 private:
  void show(bool lit) {
    if (lit && !was_lit_) {
      Console console;
      baton::print_line(console, "flash ", ++flashes_);
    }
    was_lit_ = lit;
    Led::set(lit);
  }

  // Members, because they have to live across a delay; a local variable would not.
  pattern pattern_;
  bool was_lit_ = false;
  uint16_t flashes_ = 0;
};
