// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/port.hpp>
#include <stdint.h>

/// The clock of a Cortex-M port, from its src/clock.cpp.
extern "C" uint32_t baton_cortex_m_now();
extern "C" void baton_cortex_m_alarm(uint32_t due);
extern "C" void baton_cortex_m_kernel_alarm(uint32_t due);

/// Lets the kernel run when the interrupts have ended. Null in a program without a kernel.
extern "C" __attribute__((weak)) void baton_kernel_pend();

namespace baton {

/// The common part of the ports of Cortex-M processors: masking, sleep, and ticks of a microsecond.
///
/// Source   ARMv6-M and ARMv7-M Architecture Reference Manuals, "PRIMASK" and "WFI".
struct cortex_m_port : bare_metal_port {
#ifdef BATON_CHECK_DOMAINS
 private:
  template <typename Unused>
  struct running_domain {
    static uint8_t number;
  };

 public:
#endif
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

#ifdef BATON_ATTENTION_PENDS
  /// In a program with a kernel, attention runs the kernel when the interrupts have ended.
  struct attention : bare_metal_port::attention {
    static __attribute__((always_inline)) void raise() {
      bare_metal_port::attention::raise();
      *reinterpret_cast<volatile uint32_t*>(0xE000ED04) = 1u << 28;  // PendSV
    }
  };
  struct waker {
    static __attribute__((always_inline)) void bind() {}
    static __attribute__((always_inline)) void raise() { attention::raise(); }
  };
#endif

#ifdef BATON_CHECK_DOMAINS
  /// Remembers the domain that a primitive belongs to: main's, or that of the interrupt scheduler.
  struct owner {
    bool is_local() const {
      const uint8_t here = running_domain<void>::number;
      if (!home) home = here;
      return home == here;
    }
    static void enter(uint8_t other) { running_domain<void>::number = other; }
    mutable uint8_t home = 0;
  };
#endif

  static void start() { __asm__ volatile("cpsie i" ::: "memory"); }
  static tick now() { return baton_cortex_m_now(); }
  static void alarm(tick due) { baton_cortex_m_alarm(due); }

  /// An interrupt that comes after the flag was tested is pending, and `wfi` returns for a pending
  /// interrupt although it is masked.
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

#ifdef BATON_CHECK_DOMAINS
template <typename Unused>
uint8_t cortex_m_port::running_domain<Unused>::number = 1;
#endif

}  // namespace baton
