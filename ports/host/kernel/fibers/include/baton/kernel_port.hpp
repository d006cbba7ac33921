// SPDX-License-Identifier: MIT
#pragma once

#include <baton/fiber_announcements.hpp>
#include <baton/fiber_clock.hpp>
#include <baton/kernel/spi/interruptible.hpp>
#include <baton/kernel/spi/unprotected.hpp>

namespace baton {

/// A task on a host: a fiber. A call of the kernel is a function call.
struct kernel_port : kernel::spi::unprotected, kernel::spi::interruptible {
  struct context {
    task_fiber stack;
    void (*entry)(void*);
    void* argument;
  };

  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  static constexpr bool guards_stacks = false;
  /// The dynamic linker runs on the stack when a function of a library is first called, and saves
  /// the vector registers there.
  static constexpr kernel::word least_stack = 8192;
  static constexpr kernel::word stack_alignment = 16;
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }

  static inline void prepare(context& c, const kernel::task_description& d);
  /// Copies a message. An empty message may lie nowhere, which memcpy does not allow.
  static void copy(void* to, const void* from, kernel::word bytes) {
    if (BATON_LIKELY(bytes != 0)) __builtin_memcpy(to, from, bytes);
  }
  static void alarm(tick due) { fiber_clock::alarm(due); }
};

namespace port_detail {

/// A fiber begins here: see <baton/kernel_switch.hpp>.
template <typename Unused>
void begin_task();

}  // namespace port_detail

inline void kernel_port::prepare(context& c, const kernel::task_description& d) {
  c.entry = d.entry;
  c.argument = d.argument;
  c.stack.prepare(d.stack, d.stack_bytes, &port_detail::begin_task<void>);
}

}  // namespace baton
