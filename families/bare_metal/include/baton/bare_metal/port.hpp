// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// Ends the program, and reports which requirement does not hold. A board supplies it.
extern "C" __attribute__((noreturn)) void baton_halt(uint16_t id);

namespace baton {

struct job;
enum class transition : uint8_t;

/// The common part of the ports of processors without an operating system. There is one domain,
/// whose interrupts and jobs share one processor. A port derives from it and adds the clock, the
/// masking of interrupts, and sleep.
///
/// Shape    no data but the attention flag, a byte in RAM.
struct bare_metal_port {
  static constexpr bool checked = false;
  static constexpr bool null_is_readable = false;

 private:
  // A member of a template is defined once although it stands in a header.
  template <typename Unused>
  struct state {
    static bool attention;
  };

 public:
  /// The flag is not volatile, which on Xtensa would cost a `memw` at each access. A `memw` orders
  /// accesses to devices; an interrupt sees the writes of its own processor in their order without
  /// it. The empty statements keep the compiler to that order.
  struct attention {
    static __attribute__((always_inline)) void raise() {
      __asm__ volatile("" ::: "memory");
      __atomic_store_n(&state<void>::attention, true, __ATOMIC_RELAXED);
    }
    static __attribute__((always_inline)) void lower() {
      __atomic_store_n(&state<void>::attention, false, __ATOMIC_RELAXED);
      __asm__ volatile("" ::: "memory");
    }
    static __attribute__((always_inline)) bool raised() {
      return __atomic_load_n(&state<void>::attention, __ATOMIC_RELAXED);
    }
  };

  /// Only interrupts of this processor come from outside of the domain.
  struct waker {
    static __attribute__((always_inline)) void bind() {}
    static __attribute__((always_inline)) void raise() { attention::raise(); }
  };

  struct owner {
    static constexpr bool is_local() { return true; }
  };

  struct trace {
    static __attribute__((always_inline)) void on(transition, const job*, const void*) {}
  };

  /// There is one domain, the program. The start-up code zero-initializes it, at a fixed address.
  template <typename T>
  struct local {
    static T instance;
    static __attribute__((always_inline)) T& get() { return instance; }
  };

  using text = const char*;
  static char read(text p) { return *p; }

  static __attribute__((noreturn)) void halt(uint16_t id) { baton_halt(id); }
};

template <typename Unused>
bool bare_metal_port::state<Unused>::attention;

template <typename T>
T bare_metal_port::local<T>::instance;

}  // namespace baton

#define BATON_TEXT(literal) static_cast<::baton::port::text>(literal)
