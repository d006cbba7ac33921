// SPDX-License-Identifier: MIT
#pragma once

#include <baton/device/port.hpp>
#include <stdint.h>

namespace baton {

namespace cortex_m {

/// ports/cortex_m/src/clock.cpp.
extern "C" uint32_t baton_cortex_m_now();
extern "C" void baton_cortex_m_alarm(uint32_t due);

}  // namespace cortex_m

/// Core's platform on Cortex-M: nearly every M0 to M7 has the SysTick timer, so nothing of the chip's own is used.
///
/// Units    a tick is 1 us; it wraps after 71 minutes, so a deadline lies at most 35 ahead. `BATON_CPU_HZ`, what SysTick counts, is a
///          multiple of 1 MHz.
/// Context  owns SysTick and its interrupt. Interrupts are on, as they are after a reset.
/// Cost     SysTick has 24 bits and no compare register: an alarm sooner than the running period starts a new one, which moves the
///          clock by the two or three cycles that the restart takes (counted as three). While the clock runs, it wakes the device
///          every 2^24 cycles, deadline or not.
/// Source   ARMv6-M and ARMv7-M Architecture Reference Manuals, "The system timer, SysTick".
struct port : device_port {
  using tick = uint32_t;
  static constexpr uint32_t ticks_per_second = 1000000;

  /// Masks interrupts while it lives.
  struct critical {
    __attribute__((always_inline)) critical() {
      __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
    }
    __attribute__((always_inline)) ~critical() { __asm__ volatile("msr primask, %0" ::"r"(primask) : "memory"); }
    uint32_t primask;
  };

  static void start() { __asm__ volatile("cpsie i" ::: "memory"); }
  static tick now() { return cortex_m::baton_cortex_m_now(); }
  static void alarm(tick due) { cortex_m::baton_cortex_m_alarm(due); }

  /// An interrupt that comes after the look is pending, and `wfi` returns for one that is pending though masked.
  static bool idle() {
    __asm__ volatile("cpsid i" ::: "memory");
    if (!attention::raised()) __asm__ volatile("dsb\n\twfi" ::: "memory");
    __asm__ volatile("cpsie i" ::: "memory");
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;
  static profile_tick16 profile_now16() { return static_cast<profile_tick16>(now()); }
  static profile_tick32 profile_now32() { return now(); }
};

}  // namespace baton
