// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lifetime.hpp>
#include <baton/kernel/listing.hpp>
#include <baton/kernel/messages.hpp>
#include <baton/kernel/pending.hpp>

/// The kernel's entrance: a call's number and its request go in, and which task runs next comes out.
namespace baton {
namespace kernel {

namespace handlers {

/// The tick, in two words where one is too narrow.
inline tcb* now(kernel_state& m, request& r) {
  constexpr uint8_t bits = sizeof(word) * 8;
  constexpr bool fits = sizeof(tick) <= sizeof(word);
  const tick t = port::now();
  as_now(r).set_low(static_cast<word>(t));
  as_now(r).set_high(fits ? 0 : static_cast<word>(t >> (fits ? 0 : bits)));
  return m.running;
}

}  // namespace handlers

/// Which function a call is, where its number is known to the compiler.
template <call_number N>
struct handler_of;

#define BATON_KERNEL_CALL(name)                                                                  \
  template <>                                                                                    \
  struct handler_of<call_number::name> {                                                         \
    static BATON_INLINE tcb* enter(kernel_state& m, request& r) { return handlers::name(m, r); } \
  };
BATON_KERNEL_CALL(send)
BATON_KERNEL_CALL(receive)
BATON_KERNEL_CALL(reply)
BATON_KERNEL_CALL(reply_receive)
BATON_KERNEL_CALL(yield)
BATON_KERNEL_CALL(exit)
BATON_KERNEL_CALL(my_tid)
BATON_KERNEL_CALL(parent)
BATON_KERNEL_CALL(create)
BATON_KERNEL_CALL(kill)
BATON_KERNEL_CALL(wait_interrupt_event)
BATON_KERNEL_CALL(notify)
BATON_KERNEL_CALL(wait_notification)
BATON_KERNEL_CALL(sleep)
BATON_KERNEL_CALL(now)
BATON_KERNEL_CALL(inspect)
BATON_KERNEL_CALL(set_notification_mask)
#undef BATON_KERNEL_CALL

namespace detail {

/// A task that waits has overwritten the lowest word of its stack.
BATON_NOINLINE inline tcb* overflowed(kernel_state& m, tcb* t) {
  if (t->is_free()) return m.running;
  if (m.on_fault) m.on_fault(m, *t, fault::stack_overflow, reinterpret_cast<word>(t->stack));
  end(m, t);
  return m.running ? m.yield_to_higher_priority() : m.next();
}

/// After a call that the task `self` has made: looks at its stack's guard, where the machine does not.
BATON_INLINE tcb* check_guard(kernel_state& m, tcb* self, tcb* next) {
  if (kernel_port::guards_stacks || next == self || BATON_LIKELY(*self->stack == untouched)) return next;
  return overflowed(m, self);
}

}  // namespace detail

/// The running task's call: what it does, and which task runs next.
template <call_number N>
BATON_INLINE tcb* enter(kernel_state& m, request& r) {
  tcb* self = m.running;
  return detail::check_guard(m, self, handler_of<N>::enter(m, r));
}

namespace detail {

using entry = tcb* (*)(kernel_state&, request&);

template <call_number N>
tcb* entry_of(kernel_state& m, request& r) {
  return enter<N>(m, r);
}

/// The calls of these numbers, in their order.
template <uint8_t... Numbers>
struct entries {
  static const entry table[sizeof...(Numbers)];
};

template <uint8_t... Numbers>
const entry entries<Numbers...>::table[sizeof...(Numbers)] = {entry_of<static_cast<call_number>(Numbers)>...};

template <uint8_t First, uint8_t End, uint8_t... Numbers>
struct entries_from : entries_from<First, End - 1, End - 1, Numbers...> {};
template <uint8_t First, uint8_t... Numbers>
struct entries_from<First, First, Numbers...> : entries<Numbers...> {};

}  // namespace detail

/// The running task's call, by a number that came from it; for a trap that has no entrance of its own for the call.
///
/// Shape    the functions of the calls before `First` are not among the program's because of it.
template <uint8_t First = 0>
BATON_INLINE tcb* enter(kernel_state& m, word number, request& r) {
  const word n = number - First;
  if (BATON_UNLIKELY(n >= static_cast<word>(calls - First))) return detail::refuse(m, r, error::bad_call);
  return detail::entries_from<First, calls>::table[n](m, r);
}

}  // namespace kernel
}  // namespace baton
