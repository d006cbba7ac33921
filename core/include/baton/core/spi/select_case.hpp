// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

/// Service-provider interface of core: the parts of a select that is no coroutine of core.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
///
/// A select stores one `select_record` and an array of `select_case`, one per operation. Its waiter
/// is in the state `waiter::selecting` while the cases stand in their lists for it.
namespace baton {
namespace spi {

struct select_record;

/// One case of a select: a waiter that stands in a list for the waiter of the select.
struct select_case : waiter {
  constexpr select_case() : waiter(&run, select_case_mark) {}

  /// The body of the case. When it is claimed, its operation happens, and its siblings leave their
  /// lists at once. When it is run, it was put in the ready queue with the result, and the waiter
  /// of the select takes its place there.
  static inline point run(job* j, point why);

  select_record* record = nullptr;
};

/// The state that the cases of one select share.
///
/// Shape    `owner`: the waiter of the select. `cases`: their array. `count`: cases that were put
///          into lists. `won`: the index of the case that has ended the select.
struct select_record {
  waiter* owner = nullptr;
  select_case* cases = nullptr;
  uint8_t count = 0;
  uint8_t won = 0;

  static constexpr uint8_t none = 0xff;

  /// Takes every case but the one of index `but` out of its list. false: none was in one.
  bool withdraw_others(uint8_t but) {
    bool any = false;
    for (uint8_t i = 0; i < count; ++i) {
      select_case& c = cases[i];
      if (i == but || !c.is_listed()) continue;
      c.list()->remove(&c);
      c.end(status::cancelled);
      any = true;
    }
    return any;
  }
};

inline point select_case::run(job* j, point why) {
  select_case* self = static_cast<select_case*>(static_cast<waiter*>(j));
  select_record& record = *self->record;
  if (why == select_case_claim) {
    record.won = static_cast<uint8_t>(self - record.cases);
    record.withdraw_others(record.won);
    return suspended;
  }
  record.owner->on = self->on;
  ready::push_next(record.owner);
  ready::leave(self);
  self->next = nullptr;
  return suspended;
}

/// Puts a case into the list of its operation.
template <typename Operation>
BATON_INLINE auto suspend_watched(Operation& o, waiter& c, int) -> decltype(o.suspend_watched(c)) {
  o.suspend_watched(c);
}
template <typename Operation>
BATON_INLINE void suspend_watched(Operation& o, waiter& c, long) {
  o.who |= wait_list::watched;
  o.suspend(c);
}

/// The operations of a select, in order.
///
/// Context  the thread of the domain. `try_from` does the first operation that is possible at once;
///          `suspend_from` puts a case into the list of each, and ends the wait where one is
///          closed.
/// Errors   BATON_REQUIRE select_waits_for_itself.
template <typename... Operations>
struct operation_list {
  BATON_INLINE bool try_from(select_record&, uint8_t) { return false; }
  BATON_INLINE void suspend_from(select_record&, uint8_t) {}
};

template <typename First, typename... Rest>
struct operation_list<First, Rest...> {
  static_assert(
      First::selectable,
      "a call cannot be a case of a select: once a server has it, it cannot be taken back; nor can a write to "
      "a pipe, whose first bytes are in it");

  BATON_INLINE bool try_from(select_record& record, uint8_t i) {
    select_case& c = record.cases[i];
    if (!first.try_now(c)) return rest.try_from(record, static_cast<uint8_t>(i + 1));
    record.won = i;
    return true;
  }

  BATON_INLINE void suspend_from(select_record& record, uint8_t i) {
    select_case& c = record.cases[i];
    c.record = &record;
    suspend_watched(first, c, 0);
    if (!c.is_listed()) {  // closed
      record.won = i;
      record.withdraw_others(i);
      record.owner->on = c.on;
      return;
    }
    // It would wait for itself: receivers and senders in one list.
    BATON_REQUIRE(select_waits_for_itself, (c.list()->kind & wait_list::closed_for_ever) != wait_list::closed_for_ever);
    record.count = static_cast<uint8_t>(i + 1);
    rest.suspend_from(record, static_cast<uint8_t>(i + 1));
  }

  First first;
  operation_list<Rest...> rest;
};

/// Makes the list of some operations.
BATON_INLINE operation_list<> list_of() {
  return {};
}
template <typename First, typename... Rest>
BATON_INLINE operation_list<First, Rest...> list_of(First first, Rest... rest) {
  return {first, list_of(rest...)};
}

}  // namespace spi
}  // namespace baton
