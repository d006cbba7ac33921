// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/port.hpp>
#include <stdint.h>

namespace baton {

namespace port_detail {

/// These functions stand in ports/xtensa/src/clock.cpp together with the interrupt, so a program
/// that never asks for the time has neither.
extern "C" uint32_t baton_xtensa_now();
extern "C" void baton_xtensa_alarm(uint32_t due);

}  // namespace port_detail

/// Core's platform on an Xtensa core with the call0 ABI, without register windows (LX106).
///
/// Units    a tick is 0.5 us; it wraps after 35 minutes, so a deadline lies at most 17.3 ahead.
///          `BATON_CPU_HZ`, the frequency that CCOUNT counts, is 40, 80 or 160 MHz.
/// Context  the port owns CCOMPARE0 and its interrupt, number 6 at level 1. The board's level-1
///          entry saves the registers that a call may change, and calls `baton_xtensa_timer` for
///          it. `start()` turns interrupts on. While the clock runs, it wakes the device every 2^31
///          cycles, deadline or not, before CCOUNT wraps. Division by the cycles in a tick is
///          multiplication by a reciprocal, which is exact.
/// Source   Xtensa Instruction Set Architecture (ISA) Reference Manual, 4.4.4 "Interrupt Option",
///          4.4.5 "High-Priority Interrupt Option" (RSIL, WAITI), 4.4.6 "Timer Interrupt Option".
struct port : bare_metal_port {
  using tick = uint32_t;
  static constexpr uint32_t ticks_per_second = 2000000;

  /// Masks interrupts while it lives.
  struct critical {
    __attribute__((always_inline)) critical() { __asm__ volatile("rsil %0, 15" : "=a"(ps)::"memory"); }
    __attribute__((always_inline)) ~critical() { __asm__ volatile("wsr.ps %0\n\trsync" ::"a"(ps) : "memory"); }
    uint32_t ps;
  };

  static void start() {
    uint32_t ps;
    __asm__ volatile("rsil %0, 0" : "=a"(ps)::"memory");
  }
  static tick now() { return port_detail::baton_xtensa_now(); }
  static void alarm(tick due) { port_detail::baton_xtensa_alarm(due); }

  /// `waiti` unmasks interrupts and sleeps in one instruction, so none comes between.
  static bool idle() {
    uint32_t ps;
    __asm__ volatile("rsil %0, 15" : "=a"(ps)::"memory");
    if (attention::raised()) {
      __asm__ volatile("rsil %0, 0" : "=a"(ps)::"memory");
    } else {
      __asm__ volatile("waiti 0" ::: "memory");
    }
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 2;

  /// Wraps after 32.8 ms. It has no state and uses a reciprocal of 16 bits, which is off by at most
  /// 3 parts in 10,000.
  static __attribute__((always_inline)) profile_tick16 profile_now16() {
    return static_cast<profile_tick16>(cycle_count() * ticks_per_cycle_q16 >> 16);
  }
  static profile_tick32 profile_now32() { return now(); }

  static __attribute__((always_inline)) uint32_t cycle_count() {
    uint32_t cycles;
    __asm__ volatile("rsr.ccount %0" : "=a"(cycles));
    return cycles;
  }

  static constexpr uint32_t cycles_per_tick = BATON_CPU_HZ / ticks_per_second;
  static_assert(BATON_CPU_HZ == 40000000 || BATON_CPU_HZ == 80000000 || BATON_CPU_HZ == 160000000,
                "BATON_CPU_HZ must be 40, 80 or 160 MHz: a tick of 0.5 us is then 20, 40 or 80 cycles");

 private:
  static constexpr uint32_t ticks_per_cycle_q16 = (65536 + cycles_per_tick / 2) / cycles_per_tick;
};

}  // namespace baton
