// SPDX-License-Identifier: MIT
//
// Preempted tasks find all their registers unchanged. Three tasks of the same priority share the
// processor by time slices, a fourth calls the kernel all the time, and a timer's interrupt,
// strike(), wakes a task of higher priority at another phase of them each time.
#include <baton/kernel.hpp>

#include "../interrupts/verdict.hpp"

extern "C" uint32_t baton_hold_registers(uint32_t pattern, const volatile uint32_t* go_on);

namespace {

namespace kernel = baton::kernel;
using baton::port;
using baton::tick;

constexpr uint32_t interrupts_in_total = 3000;
// A task's slice begins anew after a task of higher priority, so it is shorter than the interrupts'
// distance.
constexpr baton::duration slice = baton::ticks(port::ticks_per_second / 10000);
constexpr tick least_distance = port::ticks_per_second / 2500;

BATON_KERNEL_MEMORY kernel::system<6, 3, 1> system;
BATON_KERNEL_MEMORY kernel::stack<1024> waker_stack;
BATON_KERNEL_MEMORY kernel::stack<512> stacks[4];

volatile uint32_t goes_on = 1;
volatile uint32_t strikes, different, held, yields;
volatile bool is_armed;
tick strike_due;

/// The pattern distinguishes the tasks.
void hold(void* pattern) {
  different = different + baton_hold_registers(reinterpret_cast<kernel::word>(pattern), &goes_on);
  held = held + 1;
}

void yield(void*) {
  while (goes_on) {
    kernel::yield();
    yields = yields + 1;
  }
}

/// Sets the alarm anew after each interrupt, which thereby moves through the work of the others.
void wake(void*) {
  for (uint32_t n = 0; n != interrupts_in_total; ++n) {
    strike_due = port::now() + least_distance + n % 7;
    is_armed = true;
    port::alarm(strike_due);
    for (uint32_t phase = n % 61; phase; --phase) __asm__ volatile("nop");
    kernel::wait_interrupt_event(0);
  }
  goes_on = 0;
  while (held != 3) kernel::sleep(slice);
  verdict::line("interrupts", strikes);
  verdict::line("yields", yields);
  verdict::line("different registers", different);
  verdict::give(different == 0 && strikes >= interrupts_in_total && yields != 0);
}

/// The kernel's alarm may come first, and replace this one.
bool is_time() {
  if (!is_armed) return false;
  if (static_cast<baton::tick_difference>(port::now() - strike_due) < 0) port::alarm(strike_due);
  return static_cast<baton::tick_difference>(port::now() - strike_due) >= 0;
}

}  // namespace

/// Called by the timer's interrupt.
extern "C" __attribute__((used, externally_visible)) void baton_strike() {
  if (!is_time()) return;
  is_armed = false;
  strikes = strikes + 1;
  kernel::from_interrupt::raise_event(system, 0);
}

int main() {
  baton::board::start();
  BATON_KERNEL_MEMORY static kernel::time_slices turns(system, slice);
  system.create(kernel::describe_privileged(2, wake, waker_stack, "waker"));
  for (kernel::word n = 0; n != 3; ++n) {
    system.create(kernel::describe(1, hold, stacks[n], "holder", reinterpret_cast<void*>(n << 20 | 0xa5000)));
  }
  system.create(kernel::describe(1, yield, stacks[3], "yielder"));
  system.run();
  verdict::give(false);
}
