// SPDX-License-Identifier: MIT
//
// The scheduler, a button, and a coroutine that receives its events. Pin and interrupt are
// included.
#include <baton/board_pin.hpp>
#include <baton/devices/button.hpp>

#include "program.hpp"

static baton::channel<baton::devices::button_event, 4> events;
static baton::devices::button<baton::board::button_pin> the_button(events);

struct listening : baton::coroutine<listening, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(events.receive(event_));
      work = static_cast<uint8_t>(event_);
    }
    BATON_END();
  }
  baton::devices::button_event event_ = baton::devices::button_event::pressed;
};
static listening a;

int main() {
  start();
  the_button.start();
  a.start();
  baton::scheduler::run();
}
