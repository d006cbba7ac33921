// SPDX-License-Identifier: MIT
//
// With BATON_CHECK_DOMAINS a primitive that both domains use ends the program with requirement 102.
// BATON_CROSSING selects the wrong use. 0 is a program without one, in which a coroutine of the
// interrupt scheduler ends the run() of main.
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/cortex_m/interrupt_scheduler.hpp>
#include <baton/cortex_m/software_interrupt.hpp>

#include "../interrupts/verdict.hpp"

namespace {

using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;

baton::channel<uint8_t, 4> values;
baton::semaphore units{1};
baton::event_flags flags;
urgent::signal wakes_urgent;
baton::isr_signal wakes_main;
baton::isr_channel<uint8_t, 2> for_main;

struct urgent_user : baton::coroutine<urgent_user, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    static_cast<void>(values.try_send(1));
    static_cast<void>(units.try_acquire());
    flags.set(1);
    for (;;) {
      BATON_WAIT(wakes_urgent.wait());
      wakes_main.set();
      for_main.send(1);
      BATON_WAIT(wakes_urgent.wait());
      baton::scheduler::stop();
    }
    BATON_END();
  }
} urgent_uses;

struct user : baton::coroutine<user, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    wakes_urgent.set();
    BATON_WAIT(wakes_main.wait());
    BATON_WAIT(for_main.receive(value_));
#if BATON_CROSSING == 1
    BATON_WAIT(values.receive(value_));
#elif BATON_CROSSING == 2
    static_cast<void>(units.release());
#elif BATON_CROSSING == 3
    flags.clear(1);
#elif BATON_CROSSING == 4
    BATON_WAIT(wakes_urgent.wait());
#endif
    wakes_urgent.set();
    for (;;) BATON_YIELD();
    BATON_END();
  }
  uint8_t value_ = 0;
} uses;

}  // namespace

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  urgent::on_interrupt();
}

int main() {
  baton::board::start();
  urgent::start(0x80);
  urgent::launch(urgent_uses);
  uses.start();
  baton::scheduler::run();
  verdict::give(true);
}
