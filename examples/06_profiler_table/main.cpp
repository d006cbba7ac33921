// SPDX-License-Identifier: MIT
//
// A profiled coroutine measures its steps, and counts their times in bins that double. Other
// coroutines do not pay for it. On the host this program runs in virtual time, so that its output
// is the board's.
#include <baton/board.hpp>
#include <baton/core.hpp>
#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>
#endif

using namespace baton::literals;

// Keeps the processor busy for a time. Virtual time passes only if a program says so.
void work_for(baton::duration length) {
#if __has_include(<baton/sim/clock.hpp>)
  baton::sim::advance(length);
#else
  const baton::tick end = baton::port::now() + length;
  while (!baton::is_due(end, baton::port::now())) {
  }
#endif
}

struct pin_reader : baton::coroutine<pin_reader> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 30; left_; --left_) {
      BATON_YIELD();  // a step that does next to nothing
    }
    BATON_END();
  }

  uint8_t left_ = 0;
};

struct filter : baton::coroutine<filter> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 20; left_; --left_) {
      work_for(baton::microseconds(left_ % 4 == 0 ? 600 : 150));
      BATON_YIELD();
    }
    BATON_END();
  }

  uint8_t left_ = 0;
};

struct logger : baton::coroutine<logger, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (left_ = 5; left_; --left_) {
      work_for(3_ms);
      BATON_DELAY_MS(10);  // a wait is not a step, so it is not counted
    }
    baton::scheduler::stop();
    BATON_END();
  }

  uint8_t left_ = 0;
};

// `profiled` adds a pointer to the coroutine; the program decides where the histogram lies.
baton::profiled<pin_reader> pins;
baton::profiled<filter> filtering;
baton::profiled<logger> logging;

baton::profile pins_profile;
baton::profile filter_profile;
baton::profile logger_profile;
const baton::profile* const profiles[] = {&pins_profile, &filter_profile, &logger_profile};

int main() {
  baton::board::start();
  pins_profile.name = BATON_TEXT("readPin");
  filter_profile.name = BATON_TEXT("filter");
  logger_profile.name = BATON_TEXT("logger");
  pins.attach(pins_profile);
  filtering.attach(filter_profile);
  logging.attach(logger_profile);

  pins.start();
  filtering.start();
  logging.start();
  baton::scheduler::run();

  baton::board::console console;
  const baton::bin_range shown = {5, 13};  // from 64 us on: the first column holds all shorter steps
  baton::print_profile_table(console, profiles, 3, shown);
  baton::print_profile_json(console, profiles, 3, shown);
  baton::board::finish(0);
}
