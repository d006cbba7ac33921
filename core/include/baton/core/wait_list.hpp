// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/lifetime.hpp>
#include <baton/core/spi/wait_extension.hpp>
#include <baton/core/status.hpp>

/// The record of a wait and the list of records, which wait.hpp describes.
namespace baton {

struct wait_list;

/// A job that can wait in a list. 9 bytes on AVR.
///
/// Shape    `on`: the list that it waits in, or, as a small number, how its last wait ended.
///          `slot`: the place where the other side finds or puts the value.
struct waiter : job {
  /// The values of `on` besides those of `status`. No object lies at so low an address on any
  /// target. The values from `spi::first_state_of_modules` on are states of other modules.
  enum code : uint8_t { delivered = 9, in_service, sleeping, selecting, lowest_address = 16 };

  constexpr explicit waiter(function run, point where = 0) : job(run, where), on(0), slot(nullptr) {}
  explicit waiter(unset u) : job(u) {}

  /// The result of the last wait.
  /// Context  the job itself, after the wait.
  BATON_INLINE status result() const {
    uint8_t ended = static_cast<uint8_t>(on);
    return ended < delivered ? static_cast<status>(ended) : status::ok;
  }

  BATON_INLINE bool is_listed() const { return on >= lowest_address; }
  BATON_INLINE void end(status how) { on = static_cast<uint8_t>(how); }

  /// As `end`, of a waiter whose `on` is a code already: a word of two bytes has a high byte of 0.
  BATON_INLINE void end_unlisted(status how) {
    if (sizeof on != 2) return end(how);
    static_assert(sizeof on != 2 || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low byte of a word stands first");
    *reinterpret_cast<uint8_t*>(&on) = static_cast<uint8_t>(how);
  }

  /// `end(ok)` for an operation that is done without a wait. A job of core has a faster one.
  BATON_INLINE void end_at_once() { end(status::ok); }

  /// True if the job is the head of the ready queue while it tries an operation, unless the program
  /// has strays.
  static constexpr bool is_head_unless_stray = false;

  /// True if a job that is destroyed leaves its wait before the values that it waits with.
  static constexpr bool leaves_before_its_values = false;

  /// The list that it waits in; only while `is_listed()`.
  BATON_INLINE wait_list* list() const { return reinterpret_cast<wait_list*>(on); }

  uintptr_t on;
  void* slot;
};

static_assert(waiter::selecting + 1 == spi::first_state_of_modules, "the states of modules follow core's own");

/// The label of a job that stands for one case of a select: never a label of a body.
constexpr point select_case_mark = 0x7f;

/// The argument with which the body of such a job is called when the job is taken out of a list:
/// the body takes the job's siblings out of their lists.
constexpr point select_case_claim = suspended;

/// True once this program has waited in a select. Nobody takes the address of this variable: where
/// nothing selects, link-time optimization finds it constant and drops what only a select needs
/// from every primitive.
BATON_INLINE bool& select_is_used() {
  return domain::variable<struct select_is_used_name, bool>::get();
}

/// The function that takes a waiter out of a list that may hold a case of a select, once this
/// program has waited in a select. A pointer leads to it, because a function that nothing names is
/// not in the program, while a function behind a mark stays.
using watched_taker = waiter* (*)(wait_list*);
BATON_INLINE watched_taker& take_watched_by() {
  return domain::variable<struct take_watched_name, watched_taker>::get();
}

/// The function that ends a wait on a closed list, once a program that states that nothing dies has
/// closed one: where nothing closes either, link-time optimization finds it null, and no list is
/// ever closed. A list of any other program may be closed by a destructor.
using closed_wait = void (*)(waiter*);
BATON_INLINE closed_wait& end_closed_by() {
  return domain::variable<struct end_closed_name, closed_wait>::get();
}
BATON_INLINE bool may_be_closed() {
  return !detail::states_that_nothing_dies<port>(0) || end_closed_by();
}

/// First-in-first-out list of waiters. 3 bytes on AVR.
///
/// Shape    a ring; `tail->next` is the oldest. `tail` is valid only while a job waits. `kind` has
///          the bit `watched` while a case of a select may be in the list; such a case must be
///          asked before it is taken.
struct wait_list {
  /// The kind of the jobs that wait. A list holds one kind at a time: a sender would not wait if a
  /// receiver did. The values are bits: `closed_for_ever` is receivers and senders, which no list
  /// holds, and select_case.hpp tests for it; `watched` may be added to receivers or senders.
  enum waiting_kind : uint8_t { nobody, receivers, senders, closed_for_ever, watched = 4 };

  job* tail = nullptr;
  uint8_t kind = nobody;

  BATON_INLINE bool is_closed() const { return may_be_closed() && kind == closed_for_ever; }

  /// True if waiters of kind `who` wait.
  BATON_INLINE bool holds(uint8_t who) const { return (kind & closed_for_ever) == who; }

  /// The oldest waiter, which stays. The list is not empty.
  BATON_INLINE waiter* oldest() const { return static_cast<waiter*>(tail->next); }

  BATON_INLINE void push(waiter* w, uint8_t who) {
    job* t = kind == nobody ? w : tail;  // the list is empty: the waiter comes to follow itself
    push_after(t, w, who);
  }

  BATON_INLINE void push_first(waiter* w, uint8_t who) {
    kind = who;
    w->next = w;
    tail = w;
  }

  BATON_INLINE void push_behind(waiter* w, uint8_t who) { push_after(tail, w, who); }

  /// Takes the oldest waiter out. The list is not empty.
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

  /// Takes the oldest waiter out if waiters are of kind `who`; null otherwise. The caller must end
  /// its wait.
  BATON_INLINE waiter* take(uint8_t who) {
    if (BATON_LIKELY(kind == who)) return pop();
    if (spi::cases_may_refuse && kind == nobody) return nullptr;  // the caller asks the same next, where it is free
    if (BATON_UNLIKELY(select_is_used() && kind == (who | watched))) return take_by_select();
    return nullptr;
  }

  /// As `take`, one copy per program.
  waiter* take_shared(uint8_t who) { return take(who); }

  /// Takes the oldest waiter out of a list that is not empty. The caller must end its wait. Null:
  /// every waiter has refused.
  BATON_INLINE waiter* take_oldest() { return select_is_used() && (kind & watched) ? take_watched_by()(this) : pop(); }

  /// As `pop`, for a list that may hold a case of a select: the case then takes its siblings out of
  /// their lists.
  static BATON_NOINLINE waiter* take_watched(wait_list* self) {
    for (;;) {
      waiter* w = self->pop();
      if (w->at == select_case_mark) {
        w->body(w, select_case_claim);
      } else if (refuses(w)) {
        if (self->kind == nobody) return nullptr;
        continue;
      }
      return w;
    }
  }

  /// Claims `w`, which has been taken out, if it is the case of a select. true: another case of the
  /// select has been taken already.
  static BATON_INLINE bool refuses(waiter* w) {
    return spi::cases_may_refuse && w->at == spi::refusing_case_mark &&
           w->body(w, select_case_claim) == spi::select_case_refusal;
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

 private:
#if BATON_HAS_SLOW_PATHS
  BATON_INLINE waiter* take_by_select() {
    waiter* taken;
    take_by_select_to(taken);
    return taken;
  }
  BATON_SLOW_PATH void take_by_select_to(waiter*& to) { to = take_watched_by()(this); }
#else
  BATON_INLINE waiter* take_by_select() { return take_watched_by()(this); }
#endif

  BATON_INLINE void push_after(job* t, waiter* w, uint8_t who) {
    kind |= who;  // in a list that is not empty: adds `watched`, if anything
    w->next = t->next;
    t->next = w;
    tail = w;
  }
};

}  // namespace baton
