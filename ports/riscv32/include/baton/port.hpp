// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/port.hpp>
#include <stdint.h>

/// The machine timer's two registers, low word first. The board's linker script defines their
/// address.
extern "C" volatile uint32_t baton_mtime[2];
extern "C" volatile uint32_t baton_mtimecmp[2];

namespace baton {

/// Core's platform on RV32 in machine mode, with the machine timer of a CLINT or a similar one.
///
/// Units    a tick is 0.5 us; it wraps after 35 minutes, so a deadline lies at most 17.3 ahead.
///          `BATON_CPU_HZ`, the frequency that `mtime` counts, is a multiple of 2 MHz.
/// Context  the port owns the timer's compare register and its interrupt. The board's start-up code
///          has set `mtvec`, and leads the timer's interrupt to `baton_riscv32_timer`. `start()`
///          turns interrupts on. The tick is taken from the 64 bits of `mtime`, so the device need
///          not wake to count wraps: an idle program sleeps until its deadline, however far that
///          is.
/// Source   RISC-V Privileged Architectures, version 20211203, 3.1.6.1 (MIE), 3.2.1 (mtime,
///          mtimecmp), 3.3.3 (WFI).
struct port : bare_metal_port {
  using tick = uint32_t;
  static constexpr uint32_t ticks_per_second = 2000000;

  /// Masks interrupts while it lives.
  struct critical {
    __attribute__((always_inline)) critical() { __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(mstatus)::"memory"); }
    __attribute__((always_inline)) ~critical() { __asm__ volatile("csrs mstatus, %0" ::"r"(mstatus & 8) : "memory"); }
    uint32_t mstatus;
  };

  static void start() { __asm__ volatile("csrsi mstatus, 8" ::: "memory"); }

  static tick now() { return tick_of(mtime()); }

  static inline void alarm(tick due);

  /// An interrupt that comes after the flag was tested is pending, and `wfi` returns for a pending
  /// interrupt although it is masked.
  static bool idle() {
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
    if (!attention::raised()) __asm__ volatile("wfi" ::: "memory");
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 2;

  /// Wraps after 32.8 ms. It is computed from the low word alone with a reciprocal of 16 bits,
  /// which is off by at most 8 millionths of a tick per cycle.
  static __attribute__((always_inline)) profile_tick16 profile_now16() {
    return static_cast<profile_tick16>(baton_mtime[0] * ticks_per_cycle_q16 >> 16);
  }
  static __attribute__((always_inline)) profile_tick32 profile_now32() { return now(); }

  /// Reads the timer's 64 bits. The high word is read again until it is the same before and after
  /// the low word.
  static uint64_t mtime() {
    uint32_t high, low;
    do {
      high = baton_mtime[1];
      low = baton_mtime[0];
    } while (high != baton_mtime[1]);
    return static_cast<uint64_t>(high) << 32 | low;
  }

  /// Multiplies by the reciprocal of the cycles in a tick; the compiler makes this a shift where it
  /// can.
  static tick tick_of(uint64_t cycles) { return static_cast<tick>(cycles * ticks_per_cycle_q32 >> 32); }

  static constexpr uint32_t cycles_per_tick = BATON_CPU_HZ / ticks_per_second;

 private:
  static_assert(BATON_CPU_HZ % ticks_per_second == 0, "BATON_CPU_HZ must be a multiple of 2 MHz: a tick is 0.5 us");
  static_assert(cycles_per_tick >= 2 && cycles_per_tick <= 64, "the reciprocals have room for mtime at 4 to 128 MHz");

  // The reciprocal is rounded up, so that after `due` cycles the clock never reads less than `due`.
  static constexpr uint32_t ticks_per_cycle_q32 =
      static_cast<uint32_t>(((static_cast<uint64_t>(1) << 32) + cycles_per_tick - 1) / cycles_per_tick);
  static constexpr uint32_t ticks_per_cycle_q16 = (65536 + cycles_per_tick / 2) / cycles_per_tick;
};

namespace port_detail {

/// Stands in ports/riscv32/src/clock.cpp together with the interrupt, so a program that never sets
/// an alarm has neither.
extern "C" void baton_riscv32_alarm(uint32_t due);

}  // namespace port_detail

inline void port::alarm(tick due) {
  port_detail::baton_riscv32_alarm(due);
}

}  // namespace baton
