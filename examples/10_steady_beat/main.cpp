// SPDX-License-Identifier: MIT
//
// A steady beat: a periodic coroutine keeps to its grid of due times, however long its steps take.
// When a step takes too long, the policy decides about the missed beats. On the host this program
// runs in virtual time.
#include <baton/board.hpp>
#include <baton/core.hpp>
#if __has_include(<baton/sim/clock.hpp>)
#include <baton/sim/clock.hpp>
#endif

using namespace baton::literals;

baton::board::console console;

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

struct beat : baton::coroutine<beat, baton::periodic<>> {
  constexpr beat(const char* name, baton::catch_up policy) : name_(name), policy_(policy) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    begun_ = baton::port::now();
    BATON_PERIOD_START();
    for (count_ = 1; count_ <= 6; ++count_) {
      BATON_PERIOD_MS(20, policy_);
      baton::print_line(console, name_, ": ", passed_ms(), " ms");
      if (count_ == 2) work_for(50_ms);  // too long: two beats pass meanwhile
    }
    baton::print_line(console, name_, ": missed ", missed());
    baton::scheduler::stop();
    BATON_END();
  }

  // In tens of milliseconds, because printing alone takes a millisecond on a board.
  uint16_t passed_ms() const {
    const baton::tick passed = static_cast<baton::tick>(baton::port::now() - begun_);
    return static_cast<uint16_t>(passed / 10_ms * 10);
  }

  const char* name_;
  baton::catch_up policy_;
  uint8_t count_ = 0;
  baton::tick begun_ = 0;
};

beat skipping{"skip", baton::catch_up::skip};  // leaves missed beats out, and stays on the grid
beat catching{"all", baton::catch_up::all};    // runs missed beats at once, until it has caught up

int main() {
  baton::board::start();
  skipping.start();
  baton::scheduler::run();
  catching.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
