// SPDX-License-Identifier: MIT
//
// The generic timer as an alarm.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

enum : uint64_t { runs = 1u << 0, masked = 1u << 1 };  // of CNTV_CTL_EL0

void control(uint64_t value) {
  __asm__ volatile("msr cntv_ctl_el0, %0\n\tisb" ::"r"(value) : "memory");
}

}  // namespace

extern "C" {

/// A time that is past interrupts at once.
void baton_aarch64_alarm(uint64_t due) {
  const uint64_t periods = (due + baton::port::period_ticks - 1) / baton::port::period_ticks;
  __asm__ volatile("msr cntv_cval_el0, %0" ::"r"(periods));
  control(runs);
}

/// The due time has come. The interrupt stays pending until another one is set, so it is not let through until then.
__attribute__((used, externally_visible)) void baton_aarch64_timer() {
  control(runs | masked);
  baton::port::attention::raise();
}

}  // extern "C"
