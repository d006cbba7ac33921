// SPDX-License-Identifier: MIT
//
// Serves two alarms, core's and the kernel's, with one timer. Replaces weak functions of
// ports/riscv32/src/clock.cpp.
#include <baton/port.hpp>
#include <stdint.h>

using baton::port;

extern "C" void baton_riscv32_interrupt_at(uint64_t cycles);

namespace {

/// An alarm: whether it is set, and for which time.
struct alarm {
  bool is_set;
  uint32_t due;
};

alarm of_core;
alarm of_kernel;

/// Lets the timer interrupt at the earlier of the two alarms, or at once if that is past.
void set_timer() {
  if (!of_core.is_set && !of_kernel.is_set) return;
  const bool is_core = of_core.is_set && (!of_kernel.is_set || static_cast<int32_t>(of_core.due - of_kernel.due) < 0);
  const uint64_t now = port::mtime();
  const int32_t ahead = static_cast<int32_t>((is_core ? of_core.due : of_kernel.due) - port::tick_of(now));
  baton_riscv32_interrupt_at(now + (ahead > 0 ? static_cast<uint64_t>(ahead) * port::cycles_per_tick : 0));
}

void set(alarm& a, uint32_t due) {
  const port::critical mask;
  a.is_set = true;
  a.due = due;
  set_timer();
}

bool comes(alarm& a) {
  if (!a.is_set || static_cast<int32_t>(a.due - port::now()) > 0) return false;
  a.is_set = false;
  return true;
}

}  // namespace

extern "C" {

void baton_riscv32_alarm(uint32_t due) {
  set(of_core, due);
}

void baton_riscv32_kernel_alarm(uint32_t due) {
  set(of_kernel, due);
}

/// Called by the timer's interrupt.
__attribute__((used, externally_visible)) void baton_riscv32_due() {
  const bool core_comes = comes(of_core);
  const bool kernel_comes = comes(of_kernel);
  if (core_comes || kernel_comes) port::attention::raise();
  set_timer();
}

}  // extern "C"
