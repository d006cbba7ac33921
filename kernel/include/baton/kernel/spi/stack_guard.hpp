// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lifetime.hpp>

/// Service-provider interface of the kernel: the guard word at the lowest address of a task's
/// stack.
///
/// It is for Baton's ports, whose traps enter the kernel by handlers of their own. Users do not
/// name it, and it may change with any release.
namespace baton {
namespace kernel {

namespace detail {

/// A task that waits has overwritten the lowest word of its stack.
BATON_NOINLINE inline tcb* overflowed(kernel_state& m, tcb* t) {
  if (t->is_free()) return m.running;
  if (is_stack_guarded(t->context)) return m.running;
  if (m.on_fault) m.on_fault(m, *t, fault::stack_overflow, reinterpret_cast<word>(t->stack));
  const failure f = {fault::stack_overflow, reinterpret_cast<word>(t->stack), nullptr};
  end(m, t, ending::failed, &f);
  return count_time(m, m.running ? m.yield_to_higher_priority() : m.next());
}

}  // namespace detail

namespace spi {

/// True while the task has not overwritten the guard word.
/// Context  in the kernel; the task has a stack.
/// Cost     one load.
BATON_INLINE bool is_guard_intact(const tcb& t) {
  return *t.stack == detail::untouched;
}

/// Looks at the guard of `self`, which has made a call or was interrupted, before `next` runs. A
/// task that has overwritten its guard is ended, and `on_fault` is told. Gives the task that runs
/// next.
/// Context  in the kernel.
/// Cost     nothing where `kernel_port::guards_stacks`, or where the same task goes on; else one
///          load.
BATON_INLINE tcb* check_guard(kernel_state& m, tcb* self, tcb* next) {
  if (kernel_port::guards_stacks || next == self || BATON_LIKELY(is_guard_intact(*self))) return next;
  return detail::overflowed(m, self);
}

}  // namespace spi
}  // namespace kernel
}  // namespace baton
