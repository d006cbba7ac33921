// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/service/event_lane.hpp>

/// The lanes on which a thread sends.
namespace baton::BATON_VARIANT::service::detail {

/// The lanes of this thread, by the worker that they lead to.
///
/// Shape    a list, and the lanes that were used last. A thread that ends leaves its lanes; each
///          receiver takes the events that are in them. Lanes to workers that have ended leave the
///          list when the next one is made.
/// Cost     `find` a few instructions for the last eight workers, otherwise O(lanes).
class thread_lanes {
 public:
  /// The lane to a mailbox. Null: there is none.
  static BATON_INLINE event_lane* find(uint64_t mailbox_id) noexcept {
    const recent& r = recently_used[mailbox_id % recently];
    return BATON_LIKELY(r.mailbox_id == mailbox_id) ? r.lane : look_up(mailbox_id);
  }

  /// Keeps a lane until the thread ends. false: its end has begun, and the caller leaves the lane.
  static bool keep(event_lane& l) noexcept {
    static thread_local leaving at_end;
    if (has_ended) return false;
    at_end.prepare();
    leave_closed();
    l.next_of_thread = first_lane;
    first_lane = &l;
    recently_used[l.mailbox_id % recently] = {l.mailbox_id, &l};
    return true;
  }

 private:
  static constexpr uint64_t recently = 8;
  struct recent {
    uint64_t mailbox_id;  // 0: none
    event_lane* lane;
  };

  struct leaving {
    ~leaving() {
      has_ended = true;
      for (recent& r : recently_used) r = {};
      while (first_lane) std::exchange(first_lane, first_lane->next_of_thread)->leave();
    }
    void prepare() noexcept {}
  };

  BATON_NOINLINE static event_lane* look_up(uint64_t mailbox_id) noexcept {
    for (event_lane* l = first_lane; l; l = l->next_of_thread) {
      if (l->mailbox_id != mailbox_id) continue;
      recently_used[mailbox_id % recently] = {mailbox_id, l};
      return l;
    }
    return nullptr;
  }

  static void leave_closed() noexcept {
    for (event_lane** at = &first_lane; *at;) {
      event_lane* const l = *at;
      if (!l->is_closed()) {
        at = &l->next_of_thread;
        continue;
      }
      *at = l->next_of_thread;
      recent& r = recently_used[l->mailbox_id % recently];
      if (r.lane == l) r = {};
      l->leave();
    }
  }

  // Constant at first and without destructors: an access needs no guard.
  static inline constinit thread_local recent recently_used[recently] = {};
  static inline constinit thread_local event_lane* first_lane = nullptr;
  static inline constinit thread_local bool has_ended = false;
};

}  // namespace baton::BATON_VARIANT::service::detail
