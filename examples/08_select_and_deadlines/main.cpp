// SPDX-License-Identifier: MIT
//
// A coroutine waits for the first of several operations, with a deadline. Exactly one of them
// happens; the others have no effect.
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

baton::board::console console;

baton::channel<char> keys;
baton::channel<uint16_t, 4> readings;

struct typist : baton::coroutine<typist, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (key_ = 'a'; key_ <= 'c'; ++key_) {
      BATON_WAIT(keys.send(key_));
      BATON_DELAY_MS(100);
    }
    BATON_DELAY_MS(275);
    keys.close();
    BATON_END();
  }

  char key_ = 0;
};

struct sensor : baton::coroutine<sensor, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(50);
    reading_ = 451;
    BATON_WAIT(readings.send(reading_));
    reading_ = 452;
    BATON_WAIT(readings.send(reading_));
    BATON_END();
  }

  uint16_t reading_ = 0;
};

// `selecting<2, deadline>` adds a wait for up to two operations, with a deadline.
struct monitor : baton::coroutine<monitor, baton::selecting<2, baton::deadline>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_SELECT_FOR(250_ms, keys.receive(key_), readings.receive(reading_));
      if (result() == baton::status::closed) break;
      if (result() == baton::status::timed_out) {
        baton::print_line(console, "nothing for 250 ms");
      } else if (selected() == 0) {
        baton::print_line(console, "key ", key_);
      } else {
        baton::print_line(console, "reading ", reading_);
      }
    }
    baton::print_line(console, "the keys are closed");
    baton::scheduler::stop();
    BATON_END();
  }

  char key_ = 0;
  uint16_t reading_ = 0;
};

typist hands;
sensor thermometer;
monitor screen;

int main() {
  baton::board::start();
  hands.start();
  thermometer.start();
  screen.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
