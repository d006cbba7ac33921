// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/domain_affinity.hpp>
#include <baton/core/require.hpp>
#include <baton/core/wait_list.hpp>

/// The wait protocol: every wait, of any body on any primitive, is one record and ends exactly
/// once.
///
/// The record is a `waiter`, a job with two more words. `on` holds the state of the wait: the
/// address of the list that the job waits in, or a code. Every code is lower than the address of
/// any object, so one word holds both. `slot` points at the value, the request or the flags that
/// the other side reads or writes.
///
/// An operation has two steps. `try_now` does the operation without waiting, if that is possible.
/// Otherwise the body stores its label and calls `suspend`, which takes the job out of the ready
/// queue and links it into the primitive's `wait_list`.
///
/// The code that takes the record out of its list decides how the wait ends: a hand-over (`ok`),
/// `close` (`closed`), a deadline (`timed_out`), a cancel (`cancelled`) or a server that goes away
/// (`peer_gone`). A client in service is in no list: its server ends it. It writes the end into
/// `on` in the same step, and `wake` puts the job at the tail of the ready queue; a call and a
/// reply alone hand over past it. A domain has one thread, so nothing comes between; a later event
/// finds the record ended and comes too late. `on` keeps the result until the next wait.
///
/// Invariants that other code relies on:
///   - A job has one link. It leaves the ready queue before the link serves a wait list.
///   - A list holds receivers or senders, never both, and `kind` names one of them exactly while it
///     is not empty: `take` finds a partner by one comparison.
///   - A wait on a closed list ends before it begins. The job then stays the head of the ready
///     queue and goes on from its stored label, so a body needs no branch for it.
///   - A case of a select is a waiter of its own. Code that takes a waiter out to end its wait
///     claims it first, so that its siblings leave their lists: `take_watched` and
///     `event_flags::set`.
///   - `delivered` means `ok` with a value that the job has not read. `detail::leave_ready` counts
///     the value as dropped if the job never reads it.
///   - A client in service is in no list: its server points to it (`detail::detach_from_server`).
/// docs/wait-protocol.md has the table of all states and events.
namespace baton {

/// Ends the wait of `w`, which is in no list any more, and puts it at the tail of the ready queue.
/// `by_head` as in `ready::push_inline`.
BATON_INLINE void wake(waiter* w, uint8_t how, bool by_head = false) {
  w->on = how;
  ready::push_inline(w, by_head);
}

/// As `wake`, one copy per program.
inline void wake_shared(waiter* w, uint8_t how) {
  w->on = how;
  ready::push(w);
}

/// Marks that this program waits in a select. The cases of a select are strays.
BATON_INLINE void use_select() {
  if (select_is_used()) return;
  select_is_used() = true;
  take_watched_by() = &wait_list::take_watched;
  domain::has_strays() = true;
}

/// Ends the oldest wait in `list`, which is not empty. false: every waiter has refused.
BATON_INLINE bool wake_oldest(wait_list& list, uint8_t how) {
  waiter* w = list.take_oldest();
  if (spi::cases_may_refuse && BATON_UNLIKELY(!w)) return false;
  wake_shared(w, how);
  return true;
}

/// Ends a wait of `w` on a closed list before it begins. A job that was resumed directly goes on by
/// way of the ready queue.
BATON_NOINLINE inline void end_closed(waiter* w) {
  w->end(status::closed);
  if (!w->next && w->at != select_case_mark) ready::push(w);
}

/// Ends every wait in `list` with `closed`; later waits end at once.
BATON_NOINLINE inline void close_list(wait_list& list) {
  while (list.kind != wait_list::nobody && !list.is_closed()) {
    wake_oldest(list, static_cast<uint8_t>(status::closed));
  }
  list.kind = wait_list::closed_for_ever;
  if (detail::states_that_nothing_dies<port>(0)) end_closed_by() = &end_closed;
}

/// As `end_closed`, by the pointer where the program states that nothing dies.
BATON_INLINE void end_closed_wait(waiter* w) {
  if (!detail::states_that_nothing_dies<port>(0)) return end_closed(w);
  end_closed_by()(w);
}

/// As `wait_in`, for a list that is closed or in which another job waits.
BATON_NOINLINE inline void wait_behind(waiter* w, wait_list* list, uint8_t who, void* slot) {
  if (list->is_closed()) return end_closed_wait(w);
  w->slot = slot;
  w->on = reinterpret_cast<uintptr_t>(list);
  ready::leave(w);
  list->push_behind(w, who);
  trace(transition::wait, w, list);
}

/// Takes the running job `w` out of the ready queue. The caller has made it the tail of the list,
/// its only waiter, and has set the list's kind.
/// Cost     no call on the usual path, so that nothing is saved on the stack.
BATON_NOINLINE inline void wait_alone(waiter* w, wait_list* list, void* slot) {
  w->slot = slot;
  w->on = reinterpret_cast<uintptr_t>(list);
  ready::leave(w);
  w->next = w;
  trace(transition::wait, w, list);
}

/// The running job `w` waits in `list`. If the list is closed, the job stays the head of the ready
/// queue and goes on at once from the label that it stored, so the body needs no branch for it.
BATON_INLINE void wait_in(waiter* w, wait_list* list, uint8_t who, void* slot) {
  if (list->kind != wait_list::nobody) return wait_behind(w, list, who, slot);
  list->kind = who;
  list->tail = w;
  wait_alone(w, list, slot);
}

/// As `wait_in`, for an operation that is shared code itself.
inline void wait_shared(waiter* w, wait_list* list, uint8_t who, void* slot) {
  if (list->is_closed()) return end_closed_wait(w);
  w->slot = slot;
  w->on = reinterpret_cast<uintptr_t>(list);
  ready::leave(w);
  list->push(w, who);
  trace(transition::wait, w, list);
}

/// The way out of a list for an operation that has not happened: one function for all operations
/// whose wait is in a list, so that a deadline has one function to call.
struct leaves_list {
  /// Takes a waiting `w` out of its list; the operation has not happened.
  static BATON_INLINE bool withdraw(waiter& w) {
    if (!w.is_listed()) return false;
    w.list()->remove(&w);
    return true;
  }
};

/// An awaitable operation's part of the wait protocol: the list to wait in, the kind of waiter, and
/// the slot. The operation adds `bool try_now(waiter&)`: do the operation without waiting, if that
/// is possible, and write the result into the waiter. An operation that takes something, which is
/// lost if its job is destroyed before it goes on, says `takes = true`.
struct list_wait : leaves_list {
  BATON_INLINE list_wait(wait_list* l, uint8_t kind, void* s) : list(l), who(kind), slot(s) {}

  wait_list* list;
  uint8_t who;
  void* slot;

  /// True if a select may have this operation as one of its cases.
  static constexpr bool selectable = true;

  BATON_INLINE void suspend(waiter& w) const { wait_in(&w, list, who, slot); }
};

/// As `list_wait`, in two words: the type says which list of `Primitive` it is, and the kind.
///
/// Shape    `Primitive` has the list `waiters_`, and names this type as its friend.
template <typename Primitive, uint8_t Who>
struct list_wait_of : leaves_list {
  BATON_INLINE list_wait_of(Primitive* p, void* s) : of(p), slot(s) {}

  Primitive* of;
  void* slot;

  static constexpr bool selectable = true;
  static constexpr uint8_t who = Who;

  BATON_INLINE wait_list* list() const { return &of->waiters_; }
  BATON_INLINE void suspend(waiter& w) const { wait_in(&w, list(), Who, slot); }
  /// As `suspend`, for the case of a select.
  BATON_INLINE void suspend_watched(waiter& w) const { wait_in(&w, list(), Who | wait_list::watched, slot); }
};

}  // namespace baton
