// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

enum class input : uint8_t { button, obstacle };

baton::board::console console;
baton::channel<input, 4> inputs;

void tell(const char* state) {
  baton::print_line(console, baton::port::now() / 1_ms, " ms: ", state);
}

// A door. Each state is a place in the body, and each transition is the way to another place.
struct door : baton::coroutine<door, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      tell("closed");
      do {
        BATON_WAIT(inputs.receive(input_));
      } while (input_ != input::button);

      do {
        tell("opens");
        BATON_DELAY_MS(2000);  // the motor's time

        tell("open");
        do {  // until nobody has pressed the button for three seconds
          BATON_WAIT_FOR(3_s, inputs.receive(input_));
        } while (result() == baton::status::ok);

        tell("closes");
        BATON_WAIT_FOR(2_s, inputs.receive(input_));
      } while (result() == baton::status::ok);  // an obstacle or the button: it opens again
    }
    BATON_END();
  }

  input input_ = input::button;
};

struct visitors : baton::coroutine<visitors, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(1000);
    BATON_WAIT(inputs.send(input::button));
    BATON_DELAY_MS(4000);
    BATON_WAIT(inputs.send(input::button));  // the door is open, and stays so for three seconds more
    BATON_DELAY_MS(4000);
    BATON_WAIT(inputs.send(input::obstacle));  // the door is closing
    BATON_END();
  }
};

door the_door;
visitors the_visitors;

int main() {
  baton::board::start();
  the_door.start();
  the_visitors.start();
  baton::scheduler::run();
}
