// SPDX-License-Identifier: MIT
#pragma once

#include <baton/host/clock.hpp>
#include <stdint.h>

namespace baton {
namespace host {

/// The common part of the ports of Linux. Each thread that uses core is a domain of its own.
///
/// Units    a tick is 1 ns of CLOCK_MONOTONIC.
/// Context  an idle domain sleeps on a futex until its next deadline, or until a signal handler or
///          another thread raises attention. While jobs run, a timer signal (SIGRTMIN + 5, sent to
///          the thread) raises attention when a deadline comes, so that the scheduler never reads a
///          clock between jobs.
struct basic_port {
  using tick = uint64_t;
  static constexpr uint32_t ticks_per_second = 1000000000;

  static constexpr bool null_is_readable = false;
  static constexpr bool has_heap = true;
#if defined(__clang__)
  static constexpr bool rounds_frames = false;
#else
  static constexpr bool rounds_frames = true;
#endif

  /// Masks nothing: code outside of the domain touches only the bit of an `isr_signal` and the
  /// attention flag.
  struct critical {
    critical() {}
    ~critical() {}
  };

  struct attention {
    static void raise() { __atomic_store_n(host::attention_word(), 1, __ATOMIC_SEQ_CST); }
    static void lower() { __atomic_store_n(host::attention_word(), 0, __ATOMIC_SEQ_CST); }
    static bool raised() { return __atomic_load_n(host::attention_word(), __ATOMIC_RELAXED) != 0; }
  };

  /// Raises the attention of the domain that bound it, from any thread or signal handler.
  struct waker {
    void bind() { __atomic_store_n(&bound, host::attention_word(), __ATOMIC_SEQ_CST); }
    void raise() {
      int* word = __atomic_load_n(&bound, __ATOMIC_SEQ_CST);
      if (word) host::raise_and_wake(word);
    }
    int* bound = nullptr;
  };

  template <typename T>
  struct local {
    static __thread T instance;
    static T& get() { return instance; }
  };

  using text = const char*;
  static char read(text p) { return *p; }

  static void start() {}
  static tick now() { return host::now(); }
  static void alarm(tick due) { host::set_alarm(due); }
  static bool idle() { return host::sleep(); }
  static bool sleep_until(tick due) { return host::sleep_until(due); }
  static void give_way() { host::give_way(); }
  /// Time for which polling before a sleep pays: about as long as it takes to sleep and be woken. 0
  /// if no other thread can run meanwhile.
  static tick worth_looking() { return host::is_one_of_several_processors() ? 2000 : 0; }
  static void pause() { host::pause(); }
  static bool pin(int processor) { return host::pin(processor); }
  static void call_on_attention(void (*wake)(void*), void* argument) { host::call_on_attention(wake, argument); }

  using profile_tick16 = uint16_t;
  using profile_tick32 = uint32_t;
  static constexpr uint32_t profile_ticks_per_us = 1;
  static profile_tick16 profile_now16() { return static_cast<profile_tick16>(host::now() / 1000); }
  static profile_tick32 profile_now32() { return static_cast<profile_tick32>(host::now() / 1000); }

  static __attribute__((noreturn)) void halt(uint16_t id) { host::halt(id); }
  static void print_destroyed_coroutine(const void* code, const char* file, uint32_t line) {
    host::print_destroyed_coroutine(code, file, line);
  }
};

template <typename T>
__thread T basic_port::local<T>::instance;

}  // namespace host
}  // namespace baton

#define BATON_TEXT(literal) static_cast<::baton::port::text>(literal)

#if defined(__clang__) && defined(__x86_64__)
#define BATON_SLOW_PATH __attribute__((noinline, preserve_most))
#endif
