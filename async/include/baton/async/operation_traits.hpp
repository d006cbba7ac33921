// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>

/// Properties of the operations of core's wait protocol, for their awaiters.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// The result of `co_await`: the operation's `outcome(status)` if it has one, else the status.
template <typename Operation>
BATON_INLINE auto outcome_of(Operation& o, status ended, int) -> decltype(o.outcome(ended)) {
  return o.outcome(ended);
}
template <typename Operation>
BATON_INLINE status outcome_of(Operation&, status ended, long) {
  return ended;
}

/// Returns a value that was handed to a coroutine that is destroyed before it ran. If the operation
/// cannot take the value back, it is counted as dropped.
template <typename Operation>
auto give_back(Operation& o, int) -> decltype(o.give_back()) {
  o.give_back();
}
template <typename Operation>
void give_back(Operation&, long) {
  baton::spi::count_dropped_value();
}

/// Ends the wait of a coroutine that is destroyed while it waits or after it was woken.
template <typename Operation>
auto abandon(Operation& o, call_chain& c, int) -> decltype(o.abandon(c)) {
  o.abandon(c);
}
template <typename Operation>
void abandon(Operation& o, call_chain& c, long) {
  if (c.still_waits()) Operation::withdraw(c);
  if (c.on == waiter::delivered) give_back(o, 0);
}

/// True if an operation copies a value whose copy may throw.
template <typename Operation>
constexpr bool may_throw = false;
template <typename Operation>
  requires(Operation::may_throw)
constexpr bool may_throw<Operation> = true;

/// True if an operation suspends by `list_wait::suspend`, or that of `list_wait_of`, itself.
constexpr bool suspends_in_list(void (list_wait::*)(waiter&) const) {
  return true;
}
template <typename Primitive, uint8_t Who>
constexpr bool suspends_in_list(void (list_wait_of<Primitive, Who>::*)(waiter&) const) {
  return true;
}
template <typename Suspend>
constexpr bool suspends_in_list(Suspend) {
  return false;
}
BATON_INLINE wait_list* list_of(const list_wait& o) noexcept {
  return o.list;
}
template <typename Primitive, uint8_t Who>
BATON_INLINE wait_list* list_of(const list_wait_of<Primitive, Who>& o) noexcept {
  return o.list();
}

/// True if the operation is needed at the end of its wait, beyond the status.
template <typename Operation>
constexpr bool is_needed_to_the_end = requires(Operation& o, waiter& w) { o.abandon(w); } || requires(Operation& o) {
  o.give_back();
} || requires(Operation& o, status s) { o.outcome(s); };

/// True if the operation takes something that is lost if the coroutine does not go on.
template <typename Operation>
constexpr bool takes = false;
template <typename Operation>
  requires(Operation::takes)
constexpr bool takes<Operation> = true;

/// True if the operation's wait puts a mark into the waiter's `at`.
template <typename Operation>
constexpr bool marks_waiter = false;
template <typename Operation>
  requires(Operation::marks_waiter)
constexpr bool marks_waiter<Operation> = true;

/// True if the wait is in a list, and nothing has to be given back: the chain needs no `withdraw`.
template <typename Operation>
constexpr bool is_simple = !is_needed_to_the_end<Operation> && suspends_in_list(&Operation::suspend);

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
