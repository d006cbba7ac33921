// SPDX-License-Identifier: MIT
#pragma once

#include <baton/fiber.hpp>
#include <stddef.h>
#include <stdint.h>

// A sanitizer keeps a stack of its own beside the program's, and loses track when a fiber leaves
// its stack. In a program that is compiled with a sanitizer, each switch is announced to it; in any
// other program, nothing of this remains.
#if defined(__has_feature)
#define BATON_FIBERS_HAVE(feature) __has_feature(feature)
#else
#define BATON_FIBERS_HAVE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || BATON_FIBERS_HAVE(address_sanitizer)
#define BATON_FIBERS_ASAN 1
#else
#define BATON_FIBERS_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || BATON_FIBERS_HAVE(thread_sanitizer)
#define BATON_FIBERS_TSAN 1
#else
#define BATON_FIBERS_TSAN 0
#endif
#undef BATON_FIBERS_HAVE

// NOLINTBEGIN(readability-identifier-naming)
#if BATON_FIBERS_ASAN
extern "C" void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, size_t bytes);
extern "C" void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old, size_t* bytes_old);
extern "C" void __asan_unpoison_memory_region(const volatile void* address, size_t bytes);
#endif
#if BATON_FIBERS_TSAN
extern "C" void* __tsan_get_current_fiber();
extern "C" void* __tsan_create_fiber(unsigned flags);
extern "C" void __tsan_destroy_fiber(void* fiber);
extern "C" void __tsan_switch_to_fiber(void* fiber, unsigned flags);
#endif
// NOLINTEND(readability-identifier-naming)

namespace baton {
namespace port_detail {

#if BATON_FIBERS_ASAN
/// The data that AddressSanitizer has of a fiber.
///
/// Context  the fake stack of a fiber that another one has ended is lost, because no call gives it
///          back.
struct asan_fiber {
  void* fake_stack;
  const void* bottom;
  size_t bytes;

  /// The fiber that this thread left last. Main's stack becomes known when main is left first.
  static asan_fiber*& left() {
    static __thread asan_fiber* fiber;
    return fiber;
  }

  void prepare(void* memory, size_t memory_bytes) {
    __asan_unpoison_memory_region(memory, memory_bytes);  // its former task may have been ended in the middle
    fake_stack = nullptr;
    bottom = memory;
    bytes = memory_bytes;
  }
  void leave_for(asan_fiber& to, bool is_over) {
    left() = this;
    __sanitizer_start_switch_fiber(is_over ? nullptr : &fake_stack, to.bottom, to.bytes);
  }
  void arrive() { __sanitizer_finish_switch_fiber(fake_stack, &left()->bottom, &left()->bytes); }
};
#else
struct asan_fiber {
  static void prepare(void*, size_t) {}
  static void leave_for(asan_fiber&, bool) {}
  static void arrive() {}
};
#endif

#if BATON_FIBERS_TSAN
/// The data that ThreadSanitizer has of a fiber.
struct tsan_fiber {
  void* handle;

  void begin_main() { handle = __tsan_get_current_fiber(); }
  void leave_for(tsan_fiber& to, bool) { __tsan_switch_to_fiber(to.handle, 0); }
};

/// A task's fiber. ThreadSanitizer is told to forget it when its slot is used again.
struct tsan_fiber_of_task : tsan_fiber {
  tsan_fiber_of_task() { handle = nullptr; }
  tsan_fiber_of_task(const tsan_fiber_of_task&) = delete;
  tsan_fiber_of_task& operator=(const tsan_fiber_of_task&) = delete;
  ~tsan_fiber_of_task() { forget(); }

  void forget() {
    if (handle) __tsan_destroy_fiber(handle);
  }
  void prepare() {
    forget();
    handle = __tsan_create_fiber(0);
  }
};
#else
struct tsan_fiber {
  static void begin_main() {}
  static void leave_for(tsan_fiber&, bool) {}
};
struct tsan_fiber_of_task : tsan_fiber {
  static void prepare() {}
};
#endif

}  // namespace port_detail

/// A fiber that announces its switches.
template <typename Tsan>
struct announced_fiber : fiber, port_detail::asan_fiber, Tsan {
  /// Switches to `to`. With `is_over`, no fiber comes back to this one.
  template <typename Other>
  __attribute__((always_inline)) void switch_to(announced_fiber<Other>& to, bool is_over) {
    asan_fiber::leave_for(to, is_over);
    Tsan::leave_for(to, is_over);
    switch_fiber(*this, to);
    asan_fiber::arrive();
  }
};

/// The stack that runs before any task.
struct main_fiber : announced_fiber<port_detail::tsan_fiber> {};

/// The fiber of a task.
struct task_fiber : announced_fiber<port_detail::tsan_fiber_of_task> {
  void prepare(void* memory, size_t memory_bytes, void (*begin)()) {
    asan_fiber::prepare(memory, memory_bytes);
    tsan_fiber_of_task::prepare();
    prepare_fiber(*this, memory, memory_bytes, begin);
  }
};

}  // namespace baton

#undef BATON_FIBERS_ASAN
#undef BATON_FIBERS_TSAN
