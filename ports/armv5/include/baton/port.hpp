// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/port.hpp>
#include <stdint.h>

/// The registers of an SP804, a pair of timers that count at 1 MHz. The board's linker script
/// defines their address.
extern "C" volatile uint32_t baton_sp804[16];

/// Belongs to the kernel's part of the port: lets the kernel handle what is pending as soon as
/// interrupts are on.
extern "C" void baton_kernel_pend();

namespace baton {

/// Core's platform on ARMv5 (ARM926EJ-S) with an SP804, whose first timer is the clock and whose
/// second timer is the alarm.
///
/// Units    a tick is 1 us; it wraps after 71 minutes, so a deadline lies at most 35 ahead.
/// Context  the port owns both timers and their interrupt, which the board's start-up code leads to
///          `baton_armv5_timer`. Programs run in a privileged mode, except for a kernel's tasks.
///          `start()` turns interrupts (IRQ) on; Baton does not use fast ones (FIQ).
/// Cost     the clock has all 32 bits, so a reading is one load, and the device need not wake to
///          count wraps.
/// Source   Arm Dual-Timer Module (SP804) TRM (DDI 0271), "Programmer's model"; ARM Architecture
///          Reference Manual (DDI 0100), A2.5.
struct port : bare_metal_port {
#ifdef BATON_ATTENTION_PENDS
  /// Attention in a program with a kernel. The kernel decides which task runs and does not test the
  /// flag, so raising the flag also pends the kernel's interrupt.
  struct attention : bare_metal_port::attention {
    static __attribute__((always_inline)) void raise() {
      bare_metal_port::attention::raise();
      baton_kernel_pend();
    }
  };
  struct waker {
    static __attribute__((always_inline)) void bind() {}
    static __attribute__((always_inline)) void raise() { attention::raise(); }
  };
#endif

  using tick = uint32_t;
  static constexpr uint32_t ticks_per_second = 1000000;

  /// Masks interrupts while it lives.
  struct critical {
    __attribute__((always_inline)) critical() : cpsr(mask()) {}
    __attribute__((always_inline)) ~critical() { __asm__ volatile("msr cpsr_c, %0" ::"r"(cpsr) : "memory"); }
    uint32_t cpsr;
  };

  /// Lets the clock run down from its largest value. A second call only turns interrupts on.
  static void start() {
    if (!(baton_sp804[clock_control] & runs)) {
      baton_sp804[clock_load] = 0xffffffff;
      baton_sp804[clock_control] = runs | all_32_bits;
    }
    unmask();
  }

  static tick now() { return ~baton_sp804[clock_value]; }

  static inline void alarm(tick due);

  /// An interrupt that comes after the flag was tested is pending, and ends the wait although it is
  /// masked.
  /// Source   ARM926EJ-S TRM (DDI 0198), "Wait for interrupt"
  static bool idle() {
    mask();
    if (!attention::raised()) __asm__ volatile("mcr p15, 0, %0, c7, c0, 4" ::"r"(0) : "memory");
    unmask();
    return true;
  }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;
  static __attribute__((always_inline)) profile_tick16 profile_now16() { return static_cast<profile_tick16>(now()); }
  static __attribute__((always_inline)) profile_tick32 profile_now32() { return now(); }

 private:
  enum : uint8_t { clock_load = 0, clock_value = 1, clock_control = 2 };  // words from the first register
  enum : uint32_t { runs = 1u << 7, all_32_bits = 1u << 1 };
  enum : uint32_t { irq_masked = 1u << 7 };  // a bit of CPSR

  /// Reads, changes and writes CPSR, because ARMv5 has no `cps`. An interrupt in between leaves
  /// CPSR as it found it.
  static __attribute__((always_inline)) uint32_t mask() {
    uint32_t before;
    __asm__ volatile("mrs %0, cpsr" : "=r"(before));
    __asm__ volatile("msr cpsr_c, %0" ::"r"(before | irq_masked) : "memory");
    return before;
  }
  static __attribute__((always_inline)) void unmask() {
    uint32_t before;
    __asm__ volatile("mrs %0, cpsr" : "=r"(before));
    __asm__ volatile("msr cpsr_c, %0" ::"r"(before & ~static_cast<uint32_t>(irq_masked)) : "memory");
  }
};

namespace port_detail {

/// Stands in ports/armv5/src/clock.cpp together with the interrupt, so a program that never sets an
/// alarm has neither.
extern "C" void baton_armv5_alarm(uint32_t due);

}  // namespace port_detail

inline void port::alarm(tick due) {
  port_detail::baton_armv5_alarm(due);
}

}  // namespace baton
