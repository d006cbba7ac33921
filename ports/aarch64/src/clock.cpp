// SPDX-License-Identifier: MIT
//
// Implements the alarm with the generic timer.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

enum : uint64_t { runs = 1u << 0, masked = 1u << 1 };  // bits of CNTV_CTL_EL0

void control(uint64_t value) {
  __asm__ volatile("msr cntv_ctl_el0, %0\n\tisb" ::"r"(value) : "memory");
}

}  // namespace

extern "C" {

/// Interrupts at once if `due` is past.
void baton_aarch64_alarm(uint64_t due) {
  const uint64_t periods = (due + baton::port::period_ticks - 1) / baton::port::period_ticks;
  __asm__ volatile("msr cntv_cval_el0, %0" ::"r"(periods));
  control(runs);
}

/// Called when the due time has come. The interrupt stays pending until another alarm is set, so it
/// is masked until then.
__attribute__((used, externally_visible)) void baton_aarch64_timer() {
  control(runs | masked);
  baton::port::attention::raise();
}

}  // extern "C"
