// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/port.hpp>
#include <stdint.h>

namespace baton {

/// Core's platform on AArch64 without an operating system. Every ARMv8-A core has the generic
/// timer, so the port uses nothing that is particular to a chip.
///
/// Units    a tick is 1 ns. It has 64 bits, because a job's due time has to fill the space before a
///          pointer. The timer counts `BATON_CPU_HZ` (CNTFRQ_EL0), which divides 1 GHz. A timer of
///          ARMv8.6 always counts 1 GHz, and so does QEMU's.
/// Context  the port owns the virtual timer and its interrupt, which the board's start-up code
///          leads to `baton_aarch64_timer`. Programs run at exception level 1. `start()` turns
///          interrupts (IRQ) on; Baton does not use fast ones (FIQ). The device need not wake to
///          count wraps.
/// Source   Arm Architecture Reference Manual for A-profile (DDI 0487), D11 "The Generic Timer",
///          D1.6 "Wait for Interrupt".
struct port : bare_metal_port {
  using tick = uint64_t;
  static constexpr uint32_t ticks_per_second = 1000000000;

  /// Length of one count of the timer, in ticks.
  static constexpr uint32_t period_ticks = ticks_per_second / BATON_CPU_HZ;
  static_assert(period_ticks * BATON_CPU_HZ == ticks_per_second,
                "BATON_CPU_HZ must divide 1 GHz: a tick is a nanosecond");

  /// Masks interrupts while it lives.
  struct critical {
    __attribute__((always_inline)) critical() {
      __asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(daif)::"memory");
    }
    __attribute__((always_inline)) ~critical() { __asm__ volatile("msr daif, %0" ::"r"(daif) : "memory"); }
    uint64_t daif;
  };

  static void start() { __asm__ volatile("msr daifclr, #2" ::: "memory"); }

  static tick now() { return counter() * period_ticks; }

  static inline void alarm(tick due);

  /// An interrupt that comes after the flag was tested is pending, and `wfi` returns for a pending
  /// interrupt although it is masked.
  static bool idle() {
    __asm__ volatile("msr daifset, #2" ::: "memory");
    if (!attention::raised()) __asm__ volatile("dsb sy\n\twfi" ::: "memory");
    __asm__ volatile("msr daifclr, #2" ::: "memory");
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 2;

  /// Multiplies by the reciprocal of the number of periods in half a microsecond. The product
  /// overflows only in bits that a tick does not have.
  static __attribute__((always_inline)) profile_tick32 profile_now32() {
    return static_cast<profile_tick32>(counter() * half_us_per_period_q32 >> 32);
  }
  static __attribute__((always_inline)) profile_tick16 profile_now16() {
    return static_cast<profile_tick16>(profile_now32());
  }

  /// Reads the timer's 64 bits. Without the barrier the processor may read the timer before it
  /// executes the instructions that stand in front.
  static __attribute__((always_inline)) uint64_t counter() {
    uint64_t periods;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(periods)::"memory");
    return periods;
  }

 private:
  static_assert(BATON_CPU_HZ >= 2000000, "the profiler's clock counts half microseconds");
  static constexpr uint32_t half_us_per_period_q32 =
      static_cast<uint32_t>((static_cast<uint64_t>(2000000) << 32) / BATON_CPU_HZ);
};

namespace port_detail {

/// Stands in ports/aarch64/src/clock.cpp together with the interrupt, so a program that never sets
/// an alarm has neither.
extern "C" void baton_aarch64_alarm(uint64_t due);

}  // namespace port_detail

inline void port::alarm(tick due) {
  port_detail::baton_aarch64_alarm(due);
}

}  // namespace baton
