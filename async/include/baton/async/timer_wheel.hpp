// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/timer.hpp>
#include <stddef.h>
#include <stdint.h>

/// The timer wheel: timers in the exact order of their due times.
///
/// A due time and the wheel's `base_` are numbers of digits: 10 bits, then 8 bits a level. A timer
/// is on the level of the highest digit in which its due time differs from the base, in the slot of
/// that digit of its due time. Differences above the highest level go to the slot `beyond`. A due
/// time before the base counts as the base itself.
///
/// Every slot is due before every later one: on a level because its digit is smaller, and a level
/// before the next because its timers share more digits with the base. So the first used slot holds
/// the next timer; a bit for each slot finds it. A slot of the lowest level is kept sorted, equal
/// timers in the order in which they were armed. A slot of a higher level is a plain list: when its
/// earliest timer is due, `spread` moves the base to the slot's beginning and places its timers
/// anew, on lower levels, in the order of the list. So a timer moves at most once a level.
///
/// `soonest_` caches the first due time. Disarming the timer that is soonest forgets it, and
/// `next_due` looks through one slot for the next.
///
/// Do not change alone:
///   - Every timer is in `slot_of(due)` for the present base. The base therefore moves only in
///     `spread`, whose slot is the first used one, and in `begin_at`, while the wheel is empty.
///   - Timers are placed behind those of the same slot: equal due times keep their order on each
///     level.
///   - `wheel_node::link` points at the link that points at the node; `owner_of` makes of a link
///     the node that it is in, which holds as long as `next` is a job's first member.
namespace baton::BATON_VARIANT::async {

/// A node of a timer wheel: a job with a due time, as in core's list of timers. It takes 40 bytes
/// on a 64-bit machine: `slot` fills the gap after the job's point.
struct wheel_node : due_part, job {
  explicit wheel_node(function expire = nullptr) : job(expire) {}

  bool is_in_wheel() const { return link != nullptr; }

  uint16_t slot = 0;
  job** link = nullptr;  // the link that points to it; null while it is in no wheel
};

/// Timers in the exact order of their due times; among equal times, in the order in which they were
/// armed. They are in a hierarchy of slots, by the distance of their due times.
///
/// Shape    `Levels` levels of 256 slots of two pointers. A slot of the lowest level is 1024 ticks
///          wide, one of the next level 256 times that, and so on; timers beyond the highest level
///          are in a list of their own. The owner of a timer owns its node.
/// Context  one loop, whose clock does not wrap. A timer that is due before the wheel's beginning
///          is due at once.
/// Cost     `arm` and `disarm` are O(1), except that `arm` passes the timers before it in a slot of
///          the lowest level if one there is due later. A timer moves at most once per level; the
///          list beyond the highest level is gone through rarely.
/// Source   G. Varghese and T. Lauck, Hashed and hierarchical timing wheels (1987), with slots that
///          are chosen as a radix heap chooses its buckets: by the highest digit in which a due
///          time and the base differ.
template <unsigned Levels = 4>
class timer_wheel {
 public:
  explicit timer_wheel(uint64_t begin = 0) : base_(begin) {}
  timer_wheel(const timer_wheel&) = delete;
  timer_wheel& operator=(const timer_wheel&) = delete;

  bool is_empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  /// Moves the beginning of an empty wheel: the search for timers that are due soon after it is
  /// shortest.
  void begin_at(uint64_t now) { base_ = now; }

  /// Puts a node in. The node is in no wheel.
  void arm(wheel_node& n, tick due) {
    n.due = due;
    ++size_;
    place(n);
    if (due < soonest_) soonest_ = due;
  }

  /// Takes a node out. false: it is not in the wheel.
  bool disarm(wheel_node& n) {
    if (!n.is_in_wheel()) return false;
    take_out(n);
    --size_;
    if (n.due == soonest_) is_soonest_known_ = false;
    return true;
  }

  /// The due time of the first timer; the largest number if there is none.
  /// Cost     O(1), or a look at each timer of one slot.
  uint64_t next_due() {
    if (size_ == 0) return soonest_ = never;
    if (!is_soonest_known_) find_soonest();
    return soonest_;
  }

  /// Takes out the first timer that is due at `now`; null if none is due.
  wheel_node* pop_due(uint64_t now) {
    while (size_ != 0) {
      const unsigned which = first_slot();
      if (which < slots_a_level) {
        wheel_node* n = node_of(slots_[which].first);
        if (n->due > now) return nullptr;
        take_out(*n);
        --size_;
        is_soonest_known_ = false;
        return n;
      }
      if (next_due() > now) return nullptr;
      spread(which);
    }
    return nullptr;
  }

 private:
  static constexpr unsigned digit = 8, lowest_bits = 10;
  static constexpr unsigned slots_a_level = 1u << digit;
  static constexpr unsigned beyond = Levels * slots_a_level;
  static constexpr uint64_t never = ~uint64_t{0};

  struct list {
    job* first = nullptr;
    wheel_node* last = nullptr;
  };

  static wheel_node* node_of(job* j) { return static_cast<wheel_node*>(j); }
  static const wheel_node* node_of(const job* j) { return static_cast<const wheel_node*>(j); }

  static unsigned shift_of(unsigned level) { return lowest_bits + level * digit; }

  /// The slot of a due time, on the level of the highest digit in which the time differs from the
  /// base.
  unsigned slot_of(uint64_t due) const {
    if (due < base_) due = base_;
    const uint64_t differs = (due ^ base_) >> lowest_bits;
    if (differs == 0) return static_cast<unsigned>(due >> lowest_bits) % slots_a_level;
    const unsigned level = (63u - static_cast<unsigned>(__builtin_clzll(differs))) / digit;
    if (level >= Levels) return beyond;
    return level * slots_a_level + static_cast<unsigned>(due >> shift_of(level)) % slots_a_level;
  }

  void place(wheel_node& n) {
    const unsigned which = slot_of(n.due);
    list& l = slots_[which];
    n.slot = static_cast<uint16_t>(which);
    used_[which / 64] |= uint64_t{1} << which % 64;
    if (which < slots_a_level && l.last && l.last->due > n.due) return insert_sorted(l, n);
    n.next = nullptr;
    n.link = l.last ? &l.last->next : &l.first;
    *n.link = &n;
    l.last = &n;
  }

  static void insert_sorted(list& l, wheel_node& n) {
    job** at = &l.first;
    while (node_of(*at)->due <= n.due) at = &(*at)->next;
    n.next = *at;
    node_of(n.next)->link = &n.next;
    n.link = at;
    *at = &n;
  }

  void take_out(wheel_node& n) {
    list& l = slots_[n.slot];
    *n.link = n.next;
    if (n.next) {
      node_of(n.next)->link = n.link;
    } else {
      l.last = n.link == &l.first ? nullptr : owner_of(n.link);
    }
    if (!l.first) used_[n.slot / 64] &= ~(uint64_t{1} << n.slot % 64);
    n.link = nullptr;
    n.next = nullptr;
  }

  /// The node that has this `next`, which is the first member of a job.
  static wheel_node* owner_of(job** next) {
    static_assert(offsetof(job, next) == 0, "a job is found by its link");
    return node_of(reinterpret_cast<job*>(next));
  }

  /// The first slot in the order of time that is not empty. The wheel is not empty.
  unsigned first_slot() const {
    unsigned word = 0;
    while (used_[word] == 0) ++word;
    return word * 64 + static_cast<unsigned>(__builtin_ctzll(used_[word]));
  }

  void find_soonest() {
    const list& l = slots_[first_slot()];
    soonest_ = node_of(l.first)->due;
    for (const job* j = l.first; j; j = j->next) {
      if (node_of(j)->due < soonest_) soonest_ = node_of(j)->due;
    }
    is_soonest_known_ = true;
  }

  /// Moves the base to the beginning of a slot, and its timers to lower levels. They stay in their
  /// order.
  void spread(unsigned which) {
    job* j = slots_[which].first;
    slots_[which] = list();
    used_[which / 64] &= ~(uint64_t{1} << which % 64);
    if (which == beyond) {
      base_ = soonest_ >> lowest_bits << lowest_bits;
    } else {
      const unsigned shift = shift_of(which / slots_a_level);
      base_ = (node_of(j)->due >> shift) << shift;
    }
    while (j) {
      job* next = j->next;
      place(*node_of(j));
      j = next;
    }
  }

  uint64_t base_;
  uint64_t soonest_ = never;
  bool is_soonest_known_ = true;
  size_t size_ = 0;
  uint64_t used_[beyond / 64 + 1] = {};
  list slots_[beyond + 1];
};

}  // namespace baton::BATON_VARIANT::async
