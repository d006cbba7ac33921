// SPDX-License-Identifier: MIT
//
// One source, one event log: on a board in real time, on the host in virtual time, in which idle
// seconds pass at once. So device logic is written and tested on Linux, and flashed unchanged.
//
// A crossing: cars go until a walker has pressed the button, or for 700 ms; then a walker crosses,
// and the cars wait.
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

baton::board::console console;

// Events are kept and printed at the end, because printing takes time on a board and would delay
// later events.
struct event {
  uint16_t ms;
  const char* what;
};
event events[32];
uint8_t event_count = 0;
baton::tick epoch;

void note(const char* what) {
  const baton::tick passed = static_cast<baton::tick>(baton::port::now() - epoch);
  events[event_count++] = {static_cast<uint16_t>(passed / 1_ms), what};
}

baton::signal button;
baton::channel<uint8_t> lamp_changed;
baton::semaphore road{1};  // one side at a time: the cars or the walkers

struct presser : baton::coroutine<presser, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_UNTIL(epoch + 120_ms);
    note("button: pressed");
    button.set();
    BATON_DELAY_UNTIL(epoch + 1310_ms);
    note("button: pressed");
    button.set();
    BATON_END();
  }
};

struct lamp : baton::coroutine<lamp, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (round_ = 0; round_ < 3; ++round_) {
      BATON_WAIT(road.acquire());
      note("lamp: cars go");
      BATON_DELAY_MS(300);
      BATON_WAIT_FOR(400_ms, button.wait());
      note(result() == baton::status::ok ? "lamp: somebody waits" : "lamp: nobody waits");
      road.release();
      BATON_WAIT(lamp_changed.send(round_));
      BATON_DELAY_MS(10);
    }
    note("lamp: off");
    lamp_changed.close();
    BATON_END();
  }

  uint8_t round_ = 0;
};

struct walker : baton::coroutine<walker, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(lamp_changed.receive(round_));
      if (result() == baton::status::closed) break;
      BATON_WAIT(road.acquire());
      note("walker: crosses");
      BATON_DELAY_MS(200);
      road.release();
      note("walker: is over");
    }
    note("walker: goes home");
    baton::scheduler::stop();
    BATON_END();
  }

  uint8_t round_ = 0;
};

presser finger;
lamp crossing;
walker pedestrian;

int main() {
  baton::board::start();
  epoch = baton::port::now();
  finger.start();
  crossing.start();
  pedestrian.start();
  baton::scheduler::run();

  for (uint8_t i = 0; i < event_count; ++i) baton::print_line(console, events[i].ms, " ms  ", events[i].what);
  baton::board::finish(0);
}
