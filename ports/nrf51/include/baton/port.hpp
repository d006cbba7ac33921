// SPDX-License-Identifier: MIT
#pragma once

#include <baton/device/port.hpp>
#include <stdint.h>

namespace baton {

namespace nrf51 {

/// ports/nrf51/src/clock.cpp.
extern "C" uint32_t baton_nrf51_now();
extern "C" void baton_nrf51_alarm(uint32_t due);

}  // namespace nrf51

/// Core's platform on an nRF51, whose Cortex-M0 has no SysTick: its TIMER0 has 32 bits and compares.
///
/// Units    a tick is 1 us, whatever the frequency of the processor; it wraps after 71 minutes, so a deadline lies at most 35 ahead.
/// Context  owns TIMER0, its interrupt 8 and of its channels 0 and 1. Interrupts are on, as they are after a reset. Sleep is the
///          processor's alone: the timer keeps the chip's 16 MHz running.
/// Cost     the device wakes for an alarm and for nothing else.
/// Source   nRF51 Series Reference Manual, "Timer/counter (TIMER)".
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
  static tick now() { return nrf51::baton_nrf51_now(); }
  static void alarm(tick due) { nrf51::baton_nrf51_alarm(due); }

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
