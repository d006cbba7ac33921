// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

baton::board::console console;
baton::mutex bus;

struct sensor : baton::coroutine<sensor, baton::deadline> {
  sensor(const char* name, uint8_t takes_ms) : name_(name), takes_ms_(takes_ms) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (turn_ = 0; turn_ < 2; ++turn_) {
      BATON_WAIT_FOR(25_ms, bus.lock(lock_));
      if (result() != baton::status::ok) {
        tell("gets no bus");
        continue;
      }
      BATON_WHILE_LOCKED(lock_) {  // the end of the block unlocks, and so does a `break`
        tell("measures");
        BATON_DELAY_MS(takes_ms_);  // the others wait for the bus meanwhile
        tell("is done");
      }
    }
    BATON_END();
  }

  void tell(const char* what) const {
    baton::print_line(console, baton::port::now() / 1_ms, " ms: ", name_, " ", what);
  }

  const char* name_;
  uint8_t takes_ms_, turn_ = 0;
  baton::mutex_lock lock_;  // a member, because it lives across the delay
};

sensor pressure("pressure", 10);
sensor humidity("humidity", 40);

int main() {
  baton::board::start();
  pressure.start();
  humidity.start();
  baton::scheduler::run();
}
