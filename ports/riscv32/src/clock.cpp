// SPDX-License-Identifier: MIT
//
// Implements the alarm with the machine timer.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

constexpr uint32_t timer_interrupt = 1u << 7;  // bit of mie and mip

}  // namespace

// The functions are weak, because the kernel's part of the port uses the timer for two alarms.
extern "C" {

/// Writes the largest value first, so that no instant in between compares as past. (RISC-V
/// Privileged Architectures, 3.2.1)
void baton_riscv32_interrupt_at(uint64_t cycles) {
  baton_mtimecmp[1] = 0xffffffff;
  baton_mtimecmp[0] = static_cast<uint32_t>(cycles);
  baton_mtimecmp[1] = static_cast<uint32_t>(cycles >> 32);
  __asm__ volatile("csrs mie, %0" ::"r"(timer_interrupt) : "memory");
}

/// A time that is past does not interrupt: the caller reads the clock. A time that passes meanwhile
/// interrupts at once.
__attribute__((weak)) void baton_riscv32_alarm(uint32_t due) {
  const uint64_t now = baton::port::mtime();
  const uint32_t ahead = due - baton::port::tick_of(now);
  if (static_cast<int32_t>(ahead) <= 0) return;
  baton_riscv32_interrupt_at(now + static_cast<uint64_t>(ahead) * baton::port::cycles_per_tick);
}

__attribute__((weak)) void baton_riscv32_due() {
  baton::port::attention::raise();
}

/// Called when the due time has come. The interrupt stays pending until another alarm is set, so it
/// is masked until then.
__attribute__((interrupt, used, externally_visible)) void baton_riscv32_timer() {
  __asm__ volatile("csrc mie, %0" ::"r"(timer_interrupt) : "memory");
  baton_riscv32_due();
}

}  // extern "C"
