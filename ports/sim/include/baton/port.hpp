// SPDX-License-Identifier: MIT
#pragma once

#include <baton/sim/clock.hpp>
#include <stdint.h>

namespace baton {

/// Core's platform in virtual time: deterministic, checked and traced. It is freestanding, so that
/// the same tests run on a device, too.
///
/// Units    a tick is 1 ns on a 64-bit host and 4 us on a smaller machine.
/// Context  one thread. Time stands still while jobs run, unless a job calls `sim::advance`. While
///          no job is ready, time jumps to the next alarm or virtual interrupt in one step.
struct port {
  using tick = sim::tick;
  static constexpr uint32_t ticks_per_second = sim::ticks_per_second;

  static constexpr bool checked = true;
  static constexpr bool time_is_virtual = true;
  static constexpr bool null_is_readable = false;
  static constexpr bool has_heap = sim::has_heap;
#if defined(__clang__)
  static constexpr bool rounds_frames = false;
#else
  static constexpr bool rounds_frames = true;
#endif

  struct critical {
    critical() {}
    ~critical() {}
  };

  struct attention {
    static void raise() { sim::clock::get().attention = true; }
    static void lower() { sim::clock::get().attention = false; }
    static bool raised() { return sim::clock::get().attention; }
  };

  struct waker {
    void bind() { bound = &sim::clock::get(); }
    void raise() {
      if (bound) bound->attention = true;
    }
    sim::clock* bound = nullptr;
  };

  /// Remembers the domain of the first call.
  struct owner {
    bool is_local() const {
      if (!home) home = &sim::clock::get();
      return home == &sim::clock::get();
    }
    mutable const void* home = nullptr;
  };

  struct trace {
    static void on(transition what, const job* who, const void* on_what) {
      sim::clock& c = sim::clock::get();
      if (c.trace) c.trace(what, who, on_what);
    }
  };

  template <typename T>
  struct local {
    static BATON_SIM_LOCAL T instance;
    static T& get() { return instance; }
  };

  using text = const char*;
  static char read(text p) { return *p; }

  static void start() {}
  static tick now() { return sim::clock::get().now; }

  static void alarm(tick due) {
    sim::clock& c = sim::clock::get();
    c.alarm = due;
    c.alarm_set = !sim::is_reached(due, c.now);  // the caller has seen a past time, and time must not jump back to it
  }

  static bool idle() { return sim::clock::get().attention || sim::jump(); }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;
  static profile_tick16 profile_now16() { return static_cast<profile_tick16>(sim::microseconds_now()); }
  static profile_tick32 profile_now32() { return sim::microseconds_now(); }

  static __attribute__((noreturn)) void halt(uint16_t id) { sim::halt(id); }
};

template <typename T>
BATON_SIM_LOCAL T port::local<T>::instance;

}  // namespace baton

/// The name of the port for BATON_VARIANT.
#define BATON_PORT_NAME sim

#define BATON_TEXT(literal) static_cast<::baton::port::text>(literal)

#if defined(__clang__) && defined(__x86_64__)
#define BATON_SLOW_PATH __attribute__((noinline, preserve_most))
#endif
