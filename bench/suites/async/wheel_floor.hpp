// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

namespace suite_async {
namespace minimal {

struct timer {
  timer* next;
  timer* previous;
  uint32_t due;
};

/// Four levels of 256 slots, each a ring of timers, and a bit for each slot of the lowest level.
/// There is no order within a tick, and no time of the next due timer.
struct wheel {
  static constexpr unsigned tick_bits = 10;  // of nanoseconds

  wheel() {
    for (auto& level : slots_) {
      for (timer& s : level) s.next = s.previous = &s;
    }
  }

  BATON_INLINE void arm(timer& t, uint32_t due) {
    t.due = due;
    const uint32_t ahead = due - now_;
    const unsigned level = ahead < 1u << 8 ? 0 : ahead < 1u << 16 ? 1 : ahead < 1u << 24 ? 2 : 3;
    const uint32_t slot = due >> 8 * level & 255;
    timer& head = slots_[level][slot];
    t.next = &head;
    t.previous = head.previous;
    head.previous->next = &t;
    head.previous = &t;
    if (level == 0) used_[slot / 64] |= uint64_t{1} << slot % 64;
  }

  static BATON_INLINE void disarm(timer& t) {
    t.next->previous = t.previous;
    t.previous->next = t.next;
    t.next = t.previous = nullptr;
  }

  /// Moves on to the next tick.
  template <typename Fire>
  BATON_INLINE void turn(Fire fire) {
    ++now_;
    const uint32_t slot = now_ & 255;
    if (slot == 0) spread(1);
    if (!(used_[slot / 64] >> slot % 64 & 1)) return;
    used_[slot / 64] &= ~(uint64_t{1} << slot % 64);
    for (timer* t = take(slots_[0][slot]); t;) {
      timer* next = t->next;
      fire(t);
      t = next;
    }
  }

 private:
  /// Takes the timers of a slot out, one after the other.
  static timer* take(timer& head) {
    if (head.next == &head) return nullptr;
    timer* first = head.next;
    head.previous->next = nullptr;
    head.next = head.previous = &head;
    return first;
  }

  BATON_NOINLINE void spread(unsigned level) {
    const uint32_t slot = now_ >> 8 * level & 255;
    if (slot == 0 && level < 3) spread(level + 1);
    for (timer* t = take(slots_[level][slot]); t;) {
      timer* next = t->next;
      arm(*t, t->due);
      t = next;
    }
  }

  timer slots_[4][256];
  uint64_t used_[4] = {};
  uint32_t now_ = 0;
};

}  // namespace minimal
}  // namespace suite_async
