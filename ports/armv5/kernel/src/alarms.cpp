// SPDX-License-Identifier: MIT
//
// Serves two alarms, core's and the kernel's, with one timer. Replaces ports/armv5/src/clock.cpp.
#include <baton/port.hpp>
#include <stdint.h>

using baton::port;

namespace {

enum : uint8_t { load = 8, control = 10, clear_interrupt = 11 };  // words from the pair's first register
enum : uint32_t { runs = 1u << 7, interrupts = 1u << 5, all_32_bits = 1u << 1, once = 1u << 0 };

/// An alarm: whether it is set, and for which time.
struct alarm {
  bool is_set;
  uint32_t due;
};

alarm of_core;
alarm of_kernel;

int32_t ahead(uint32_t due) {
  return static_cast<int32_t>(due - port::now());
}

/// Lets the timer interrupt at the earlier of the two alarms; for a time that is past, after a
/// microsecond.
void count_down() {
  baton_sp804[control] = 0;
  baton_sp804[clear_interrupt] = 0;
  if (!of_core.is_set && !of_kernel.is_set) return;
  const bool is_core = of_core.is_set && (!of_kernel.is_set || static_cast<int32_t>(of_core.due - of_kernel.due) < 0);
  const int32_t left = ahead(is_core ? of_core.due : of_kernel.due);
  baton_sp804[load] = left > 0 ? static_cast<uint32_t>(left) : 1;
  baton_sp804[control] = runs | interrupts | all_32_bits | once;
}

void set(alarm& a, uint32_t due) {
  const port::critical mask;
  a.is_set = true;
  a.due = due;
  count_down();
}

bool comes(alarm& a) {
  if (!a.is_set || ahead(a.due) > 0) return false;
  a.is_set = false;
  return true;
}

}  // namespace

extern "C" {

void baton_armv5_alarm(uint32_t due) {
  set(of_core, due);
}

void baton_armv5_kernel_alarm(uint32_t due) {
  set(of_kernel, due);
}

/// Called when the earlier alarm is due, by the board's dispatcher with interrupts masked.
__attribute__((used, externally_visible)) void baton_armv5_timer() {
  const bool core_comes = comes(of_core);
  const bool kernel_comes = comes(of_kernel);
  if (core_comes || kernel_comes) port::attention::raise();
  count_down();
}

}  // extern "C"
