// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>

/// The hand-over of a call and of its reply, past the tail of the ready queue.
namespace baton {

namespace ready {

/// The most direct hand-overs in a row: a call and its reply are two. The next call goes through
/// the tail of the queue, so that no ready job starves.
constexpr uint8_t most_hand_overs = 16;

BATON_INLINE bool may_hand_over() {
  uint8_t consecutive_handoffs = static_cast<uint8_t>(domain::consecutive_handoffs() + 1);
  if (BATON_UNLIKELY(consecutive_handoffs > most_hand_overs / 2)) {
    domain::consecutive_handoffs() = 0;
    return false;
  }
  domain::consecutive_handoffs() = consecutive_handoffs;
  return true;
}

/// As `hand_over`, through the tail of the queue: for the bound on hand-overs, and for a `from`
/// that was resumed directly.
BATON_NOINLINE inline void hand_over_through_queue(job* from, job* to) {
  push(to);
  leave(from);
}

/// The running job `from` waits, and `to` runs next, in the place of `from` in the ring. The
/// hand-over counts only where other jobs are ready.
/// Cost     no call on the usual path, so that nothing is saved on the stack.
BATON_INLINE void hand_over(job* from, job* to) {
  job* t = domain::tail();
  if (domain::has_strays() && !follows(t, from)) return hand_over_through_queue(from, to);
  if (BATON_UNLIKELY(t != from && !may_hand_over())) return hand_over_through_queue(from, to);
  trace(transition::ready, to);
  if (t == from) {
    to->next = to;
    domain::tail() = to;
  } else {
    to->next = from->next;
    t->next = to;
  }
}

}  // namespace ready

}  // namespace baton
