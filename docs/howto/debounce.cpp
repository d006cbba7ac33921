// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/devices/button.hpp>
#include <baton/devices/fakes.hpp>
#include <baton/sim/script.hpp>

using namespace baton::literals;
using baton::devices::button_event;

using pin = baton::devices::fake_pin<2>;  // on a board: baton::board::button_pin

baton::board::console console;
baton::channel<button_event, 4> events;
baton::devices::button<pin> the_button(events);

struct listener : baton::coroutine<listener, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(events.receive(event_));
      baton::print_line(console, baton::port::now() / 1_ms, " ms: ", name());
    }
    BATON_END();
  }

  const char* name() const {
    if (event_ == button_event::pressed) return "pressed";
    return event_ == button_event::held ? "held" : "released";
  }

  button_event event_ = button_event::pressed;
};

listener the_listener;

int main() {
  baton::board::start();
  the_button.start();
  the_listener.start();

  // A hand presses after 100 ms and lets go half a second later. The contact bounces both times.
  const baton::sim::moment<bool> edges[] = {
      {100_ms, false}, {1_ms, true}, {2_ms, false}, {500_ms, true}, {1_ms, false}, {1_ms, true},
  };
  baton::sim::script<bool, pin::drive> hand;
  hand.play(edges);
  baton::scheduler::run();  // the port sim returns when nothing can happen any more
}
