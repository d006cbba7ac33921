// SPDX-License-Identifier: MIT
#pragma once

// A port to start from. It compiles, and runs nothing: each place that says FILL IN does the least
// that compiles, and tests/ports names the missing parts. Copy the folder; see ports/README.md. The
// contract is the table in core/include/baton/core/platform.hpp. Without an operating system,
// <baton/bare_metal/port.hpp> has most of it already: derive from its bare_metal_port and leave
// those members out. ports/riscv32 is an example with a good timer, ports/cortex_m one with a poor
// timer.

#include <stdint.h>

/// Ends the program, and reports which requirement does not hold. A board supplies it
/// (families/bare_metal).
extern "C" __attribute__((noreturn)) void baton_halt(uint16_t id);

namespace baton {

struct job;
enum class transition : uint8_t;

/// Core's platform on FILL IN: which processors, in which mode, with which timer.
///
/// Units    a tick is 1 us; it wraps after 71 minutes, so a deadline lies at most 35 ahead. FILL IN
///          the frequency that the timer counts.
/// Context  FILL IN which timer and which interrupt this port owns, and which code leads the
///          interrupt to `baton_template_timer`.
/// Source   FILL IN the manual and its section.
struct port {
  /// Unsigned: 32 bits, or 64 where pointers have 64. Two ticks compare by their signed difference.
  using tick = uintptr_t;

  /// A rate between 1 and 2 MHz on a microcontroller, by a shift of the timer where that is
  /// possible. It must divide a second, a millisecond and a microsecond, or be divided by them.
  static constexpr uint32_t ticks_per_second = 1000000;

  /// True if the port makes checks that a release does not make, for example for calls from foreign
  /// threads.
  static constexpr bool checked = false;

  /// True if a read at address 0 does not fault and finds no object's address, which saves core a
  /// test. `false` is always right.
  static constexpr bool null_is_readable = false;

  /// Masks interrupts while it lives, and restores the earlier state, so that it nests.
  struct critical {
    critical()
        : before(0) {
    }  // FILL IN: read the mask, then set it. The compiler must move no memory access across ("memory")
    ~critical() {}  // FILL IN: write `before` back
    uint32_t before;
  };

 private:
  // A member of a template is defined once although it stands in a header.
  template <typename Unused>
  struct state {
    static volatile bool attention;
  };

 public:
  /// The flag that ends a sleep and makes the scheduler look for events. An interrupt raises it
  /// between any two instructions, so each of the three functions is one load or store.
  struct attention {
    static void raise() { state<void>::attention = true; }
    static void lower() { state<void>::attention = false; }
    static bool raised() { return state<void>::attention; }
  };

  /// Raises attention from outside of the domain. With one processor and no threads it has no
  /// state.
  struct waker {
    static void bind() {}
    static void raise() { attention::raise(); }
  };

  /// A base of each primitive. `check()` may trap a call from a foreign thread if `checked` is
  /// true.
  struct owner {
    static constexpr bool is_local() { return true; }
  };

  /// Sees each transition of a job. An empty function costs nothing.
  struct trace {
    static void on(transition, const job*, const void*) {}
  };

  /// There is one domain, the program. The start-up code zero-initializes it, at a fixed address. A
  /// system with threads needs __thread here.
  template <typename T>
  struct local {
    static T instance;
    static T& get() { return instance; }
  };

  /// Constant text. It is a pointer, unless constants lie where loads do not reach (AVR).
  using text = const char*;
  static char read(text p) { return *p; }

  /// Starts the clock and turns interrupts on. It is called more than once.
  static void start() {}  // FILL IN

  /// Returns the tick at this moment, also with interrupts masked, and without tearing: a timer
  /// that is narrower than the tick, or that is read in two halves, may wrap in between.
  static tick now() { return 0; }  // FILL IN

  static inline void alarm(tick due);

  /// Sleeps until attention is raised. An interrupt between the test of the flag and the sleep must
  /// end the sleep: mask interrupts, test, sleep with the interrupt pending although masked,
  /// unmask. On processors that a masked interrupt does not wake, unmask and sleep have to be one
  /// step (AVR, Xtensa). Returns true; false says that nothing can ever raise attention, which only
  /// virtual time can know.
  static bool idle() { return true; }  // FILL IN

  /// The profiler's clocks count a power of two ticks per microsecond. The short one may wrap after
  /// 32 ms.
  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;
  static profile_tick16 profile_now16() { return static_cast<profile_tick16>(now()); }
  static profile_tick32 profile_now32() { return static_cast<profile_tick32>(now()); }

  static __attribute__((noreturn)) void halt(uint16_t id) { baton_halt(id); }
};

template <typename T>
T port::local<T>::instance;

template <typename Unused>
volatile bool port::state<Unused>::attention;

namespace port_detail {

/// Stands in ports/template/src/clock.cpp together with the interrupt, so a program that never sets
/// an alarm has neither.
extern "C" void baton_template_alarm(port::tick due);

}  // namespace port_detail

/// May ignore a `due` that is past: the caller reads the clock afterwards. An alarm before `due`
/// costs a reading of the clock; an alarm after it breaks promises.
inline void port::alarm(tick due) {
  port_detail::baton_template_alarm(due);
}

}  // namespace baton

#define BATON_TEXT(literal) static_cast<::baton::port::text>(literal)
