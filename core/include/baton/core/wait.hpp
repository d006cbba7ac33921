// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/domain_affinity.hpp>
#include <baton/core/require.hpp>
#include <baton/core/status.hpp>

/// The wait protocol: one record for every wait, of any body, on any primitive.
///
/// A wait ends exactly once. While `waiter::on` is the address of a list, the job is linked in that list and whoever takes
/// it out decides how the wait ends: a hand-over (ok), `close` (closed), a deadline (timed_out), a cancel (cancelled).
/// Taking it out and writing the end are one step of one domain, so nothing can come between; what comes later finds the
/// record ended and is too late. docs/wait-protocol.md has the whole table.
namespace baton {

struct wait_list;

/// A job that can wait in a list. 9 bytes on AVR.
///
/// Shape    `on`: the list it waits in, or, as a small number, how its last wait ended. `slot`: where the other side
///          finds or puts the value.
struct waiter : job {
  /// What `on` can say besides a status. No object lies at so low an address on any target.
  enum code : uint8_t { delivered = 9, in_service, sleeping, selecting, elsewhere, lowest_address = 16 };

  constexpr explicit waiter(function run, point where = 0) : job(run, where), on(0), slot(nullptr) {}
  explicit waiter(unset u) : job(u) {}

  /// How the last wait ended.
  /// Context  the job itself, after the wait.
  BATON_INLINE status result() const {
    uint8_t ended = static_cast<uint8_t>(on);
    return ended < delivered ? static_cast<status>(ended) : status::ok;
  }

  BATON_INLINE bool is_listed() const { return on >= lowest_address; }
  BATON_INLINE void end(status how) { on = static_cast<uint8_t>(how); }
  BATON_INLINE wait_list* list() const { return reinterpret_cast<wait_list*>(on); }

  uintptr_t on;
  void* slot;
};

/// The label of a job that stands for one case of a select: never a label of a body.
constexpr point select_case_mark = 0x7f;

/// What the body of such a job is asked when it is taken out of a list: to take its siblings out of theirs.
constexpr point select_case_claim = suspended;

namespace detail {

/// Whether loops may run on threads of this port: ticks are wide, and their mailboxes are the heap's.
template <typename Port>
constexpr bool has_loops_in(int, decltype(Port::has_heap)* = nullptr) {
  return Port::has_heap && sizeof(tick) == sizeof(uint64_t);
}
template <typename Port>
constexpr bool has_loops_in(long) {
  return false;
}

}  // namespace detail

/// Where loops run on threads, a select may have cases that other threads decide. Its cases in lists of this
/// domain have a label of their own, and the body of one, when it is claimed, may say that another case was first. Elsewhere nothing of it is left.
constexpr bool cases_may_refuse = detail::has_loops_in<port>(0);
constexpr point refusing_case_mark = 0x7e;
constexpr point select_case_refusal = 0;

/// Whether this program has ever waited in a select. Nobody takes the address of this variable: where nothing selects, link-time
/// optimization finds it constant and drops what only a select needs from every primitive.
BATON_INLINE bool& select_is_used() {
  return domain::variable<struct select_is_used_name, bool>::get();
}

/// First-in-first-out list of waiters. 3 bytes on AVR.
///
/// Shape    a ring; `tail->next` is the oldest. `tail` means something only while somebody waits. `kind` has the bit `watched`
///          while a case of a select may be in the list; such a case must be asked before it is taken.
struct wait_list {
  /// What kind of jobs waits. One kind at a time: a sender would not wait if a receiver did.
  enum waiting_kind : uint8_t { nobody, receivers, senders, closed_for_ever, watched = 4 };

  job* tail = nullptr;
  uint8_t kind = nobody;

  BATON_INLINE bool is_closed() const { return kind == closed_for_ever; }

  BATON_INLINE void push(waiter* w, uint8_t who) {
    if (kind == nobody) {
      push_first(w, who);
    } else {
      push_behind(w, who);
    }
  }

  BATON_INLINE void push_first(waiter* w, uint8_t who) {
    kind = who;
    w->next = w;
    tail = w;
  }

  BATON_INLINE void push_behind(waiter* w, uint8_t who) {
    kind |= who;  // adds `watched`, if anything
    w->next = tail->next;
    tail->next = w;
    tail = w;
  }

  BATON_INLINE waiter* pop() {
    job* last = tail;
    job* first = last->next;
    if (!first) __builtin_unreachable();
    if (first == last) {
      kind = nobody;
    } else {
      last->next = first->next;
    }
    return static_cast<waiter*>(first);
  }

  /// Takes the oldest waiter out if waiters are of kind `who`; null otherwise. The caller must end its wait.
  BATON_INLINE waiter* take(uint8_t who) {
    if (BATON_LIKELY(kind == who)) return pop();
    if (BATON_UNLIKELY(select_is_used() && kind == (who | watched))) return take_watched();
    return nullptr;
  }

  /// Takes the oldest waiter out; somebody must be waiting. The caller must end its wait. Null: whoever was there has refused.
  BATON_INLINE waiter* take_oldest() { return select_is_used() && (kind & watched) ? take_watched() : pop(); }

  /// As `pop`, for a list that may hold a case of a select: the case then takes its siblings out of their lists.
  BATON_NOINLINE waiter* take_watched() {
    for (;;) {
      waiter* w = pop();
      if (w->at == select_case_mark) {
        w->body(w, select_case_claim);
      } else if (refuses(w)) {
        if (kind == nobody) return nullptr;
        continue;
      }
      return w;
    }
  }

  /// Whether `w`, which has been taken out, is the case of a select to which something has happened already. If not, it is claimed.
  static BATON_INLINE bool refuses(waiter* w) {
    return cases_may_refuse && w->at == refusing_case_mark && w->body(w, select_case_claim) == select_case_refusal;
  }

  /// Takes `w`, which is in this list, out.
  /// Cost     O(waiters).
  BATON_NOINLINE void remove(waiter* w) {
    job* before = tail;
    while (before->next != w) before = before->next;
    if (before == w) {
      kind = nobody;
    } else {
      before->next = w->next;
      if (tail == w) tail = before;
    }
    w->next = nullptr;
  }
};

/// Ends the wait of `w`, which is in no list any more, and puts it at the tail of the ready queue.
BATON_INLINE void wake(waiter* w, uint8_t how) {
  w->on = how;
  ready::push_inline(w);
}

/// Ends the oldest wait in `list`; somebody must be waiting. false: whoever was there has refused.
BATON_INLINE bool wake_oldest(wait_list& list, uint8_t how) {
  waiter* w = list.take_oldest();
  if (cases_may_refuse && BATON_UNLIKELY(!w)) return false;
  wake(w, how);
  return true;
}

/// Ends every wait in `list` with `closed`; later waits end at once.
BATON_NOINLINE inline void close_list(wait_list& list) {
  while (list.kind != wait_list::nobody && !list.is_closed()) {
    wake_oldest(list, static_cast<uint8_t>(status::closed));
  }
  list.kind = wait_list::closed_for_ever;
}

/// A wait of `w` on something closed has ended before it began. A job that was resumed directly goes on by the ready queue.
BATON_NOINLINE inline void end_closed(waiter* w) {
  w->end(status::closed);
  if (!w->next && w->at != select_case_mark) ready::push(w);
}

/// As `wait_in`, for a list in which somebody waits already, or which is closed.
BATON_NOINLINE inline void wait_behind(waiter* w, wait_list* list, uint8_t who, void* slot) {
  if (list->is_closed()) return end_closed(w);
  w->slot = slot;
  w->on = reinterpret_cast<uintptr_t>(list);
  ready::leave(w);
  list->push_behind(w, who);
  trace(transition::wait, w, list);
}

/// The running job `w`, which is all that its list holds, leaves the ready queue.
/// Cost     no call on the usual path, so that nothing is saved on the stack.
BATON_NOINLINE inline void wait_alone(waiter* w, wait_list* list, void* slot) {
  w->slot = slot;
  w->on = reinterpret_cast<uintptr_t>(list);
  ready::leave(w);
  w->next = w;
  trace(transition::wait, w, list);
}

/// The running job `w` waits in `list`. Where the list is closed it stays the head of the ready queue and goes on at once
/// from the label that it stored: so the body needs no branch for it.
BATON_INLINE void wait_in(waiter* w, wait_list* list, uint8_t who, void* slot) {
  if (list->kind != wait_list::nobody) return wait_behind(w, list, who, slot);
  list->kind = who;
  list->tail = w;
  wait_alone(w, list, slot);
}

/// What an awaitable operation hands to the wait protocol: which list, as whom, with which slot. The operation adds
/// `bool try_now(waiter&)`: do it without waiting, if that is possible now, and write the result into the waiter.
struct list_wait {
  wait_list* list;
  uint8_t who;
  void* slot;

  /// Whether a select may hold this operation as one of its cases.
  static constexpr bool selectable = true;

  BATON_INLINE void suspend(waiter& w) const { wait_in(&w, list, who, slot); }

  /// Takes a waiting `w` out; it did not happen.
  static BATON_INLINE bool withdraw(waiter& w) {
    if (!w.is_listed()) return false;
    w.list()->remove(&w);
    return true;
  }
};

}  // namespace baton
