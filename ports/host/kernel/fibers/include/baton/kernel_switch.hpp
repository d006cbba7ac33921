// SPDX-License-Identifier: MIT
#pragma once

#include <baton/fiber_exceptions.hpp>
#include <baton/fiber_signals.hpp>
#include <baton/kernel/dispatch.hpp>
#include <baton/kernel/enum_names.hpp>
#include <baton/kernel/kernel_state.hpp>
#include <stdio.h>

namespace baton {

/// Lets tasks enter the kernel on a host by a function call, and by a switch of fibers if another
/// task runs next. Preemption happens only at kernel calls and, in virtual time, when a task takes
/// time.
///
/// Context  a kernel belongs to the thread that runs it. A thread runs one kernel at a time.
struct kernel_switch {
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r{first, second, out_length, in, in_length, timeout};
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    kernel::request r;
    r.first = first;
    r.second = second;
    r.out_length = out_length;
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r{0, 0, 0, in, in_length, timeout};
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  /// The default `on_fault` of a `system`: prints on standard error which task has failed.
  static void say_fault(const kernel::kernel_state&, const kernel::tcb& t, kernel::fault why, kernel::word address) {
    dprintf(2, "task %s: %s at %#jx\n", t.name ? t.name : "without a name", fault_name(why),
            static_cast<uintmax_t>(address));  // it needs no lock: a signal may have come at any instruction
  }

  static void run(kernel::kernel_state& m) {
    port::local<running_kernel>::get().m = &m;
    exceptions().begin();
    main().begin_main();
    fiber_signals::begin(&tell_of_fault);
    fiber_clock::begin(&preempt);
    port::start();
    port::attention::raise();
    kernel::run_until_stopped(m, [&m] {
      if (kernel::tcb* t = kernel::handle_pending(m)) main().switch_to(t->context.stack, false);
    });
    fiber_clock::end();
    port::local<running_kernel>::get().m = nullptr;
  }

 private:
  /// The kernel that runs in this domain, and the fiber from which it was begun. Each is read by
  /// itself where it is needed: a pointer to both would be kept across the switch, and nothing
  /// could be done until the other stack has loaded it again.
  struct running_kernel {
    kernel::kernel_state* m;
  };
  struct exceptions_that_are_handled {
    fiber_exceptions of_thread;
  };

  static BATON_INLINE kernel::kernel_state& current() { return *port::local<running_kernel>::get().m; }
  static BATON_INLINE fiber_exceptions& exceptions() {
    return port::local<exceptions_that_are_handled>::get().of_thread;
  }
  static main_fiber& main() { return port::local<main_fiber>::get(); }

  template <kernel::call_number N>
  static BATON_INLINE void enter(kernel::request& r) {
    kernel::kernel_state& m = current();
    kernel::tcb* self = m.running;
    kernel::tcb* next = kernel::enter<N>(m, r);
    if (BATON_UNLIKELY(port::attention::raised())) next = handle_pending();
    if (next != self) leave(self, next);
  }

  /// True if the address is in the buffer for which the task waits, or has waited last.
  static bool has_given(const kernel::tcb& t, uintptr_t address) {
    return !t.is_free() && t.call && address - t.call->in < t.call->in_length;
  }

  /// The task that has failed: who gave the kernel this address or, else, on whose stack this is:
  /// the one that calls the kernel, which may have made another one the running task. A stack that
  /// has overflowed is nobody's.
  static const kernel::tcb* failed_task(const kernel::kernel_state& m, uintptr_t address, uintptr_t stack) {
    for (const kernel::tcb* t = m.table; t != m.table + m.slots; ++t) {
      if (has_given(*t, address)) return t;
    }
    for (const kernel::tcb* t = m.table; t != m.table + m.slots; ++t) {
      if (!t->is_free() && stack - reinterpret_cast<uintptr_t>(t->stack) <= t->made.stack_bytes) return t;
    }
    return m.running;
  }

  /// Names the task that has failed, in its own code or by a buffer that it gave the kernel, before
  /// the process ends.
  static void tell_of_fault(int number, siginfo_t* info, void* context) {
    if (info->si_code <= 0) {  // nothing has failed: somebody has sent the signal
      raise(number);
      return;
    }
    const kernel::kernel_state* m = port::local<running_kernel>::get().m;
    const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
    const kernel::tcb* t = m && m->on_fault ? failed_task(*m, address, interrupted_stack(context)) : nullptr;
    if (!t) return;
    const bool is_access = number == SIGSEGV || number == SIGBUS;
    m->on_fault(*m, *t, is_access ? kernel::fault::bad_access : kernel::fault::other,
                static_cast<kernel::word>(address));
  }

  static BATON_NOINLINE kernel::tcb* handle_pending() { return kernel::handle_pending(current()); }

  /// Handles the events of interrupts before the running task goes on.
  static void preempt() {
    kernel::tcb* self = current().running;
    if (!self || !port::attention::raised()) return;
    kernel::tcb* next = handle_pending();
    if (next != self) leave(self, next);
  }

  /// Switches from the running task, which waits, has ended or was preempted, to `next`, or to main
  /// if `next` is null.
  static BATON_INLINE void leave(kernel::tcb* self, kernel::tcb* next) {
    if (BATON_UNLIKELY(!next || exceptions().are_held())) return leave_slowly(self, next);
    self->context.stack.switch_to(next->context.stack, self->is_free());
  }

  static BATON_NOINLINE void leave_slowly(kernel::tcb* self, kernel::tcb* next) {
    const fiber_exceptions::held taken = exceptions().take();
    if (next) {
      self->context.stack.switch_to(next->context.stack, self->is_free());
    } else {
      self->context.stack.switch_to(main(), self->is_free());
    }
    exceptions().put_back(taken);
  }

  template <typename Unused>
  friend void port_detail::begin_task();

  static BATON_INLINE void begin() {
    kernel_port::context& c = current().running->context;
    c.stack.arrive();
    c.entry(c.argument);
    call_out<kernel::call_number::exit>(0, 0, 0);
    __builtin_unreachable();
  }
};

template <typename Unused>
__attribute__((noinline)) void port_detail::begin_task() {
  BATON_FIBER_OUTERMOST();
  kernel_switch::begin();
}

}  // namespace baton
