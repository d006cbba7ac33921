// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

namespace baton {
namespace kernel {

using request = kernel_port::request;

/// A slot in the table of tasks, and what the kernel knows of the task that has it.
///
/// Context  the kernel alone writes it; an interrupt touches `notifications` alone. A task in no queue has a null `next`.
struct tcb {
  tcb* next = nullptr;            // in a ready ring, or in a queue of senders
  request* call = nullptr;        // what it has asked for, while it waits
  tcb* peer = nullptr;            // while it sends: to whom; while it waits for a reply: from whom; else null
  tcb* senders = nullptr;         // who sends to it, the most urgent first
  tid id = no_task;               // that of the task that has the slot or, while it is free, of the next one
  uint8_t state_bits = 0;         // a `state`, and `timed`
  kernel::priority priority = 0;  // at which it runs: its own, or that of the most urgent task that waits for it
  kernel::priority base_priority = 0;
  bool is_privileged = false;
  word notifications = 0;      // notification bits that it has not taken
  word notification_mask = 0;  // notification bits that end its `receive`
  tcb* next_timed = nullptr;
  tick due = 0;
  const char* name = nullptr;
  uint32_t* stack = nullptr;  // its lowest word
  word stack_bytes = 0;
  tid parent = no_task;
  kernel_port::context context;

  bool is_free() const { return state_bits == static_cast<uint8_t>(kernel::state::free); }
  kernel::state state() const { return static_cast<kernel::state>(state_bits & static_cast<uint8_t>(~timed)); }
  bool is_timed() const { return (state_bits & timed) != 0; }
  void become(kernel::state s) { state_bits = static_cast<uint8_t>(s); }
  bool is(kernel::state s) const { return state_bits == static_cast<uint8_t>(s); }
};

/// Who is ready: a ring for each priority, first in, first out, and a bit for each ring that is not empty.
///
/// Shape    `tails` points to one pointer per priority, the application's memory. The running task is in no ring.
class ready_queue {
 public:
  void use(tcb** tails) { tails_ = tails; }

  BATON_INLINE bool is_empty() const { return used_ == 0; }

  /// 0: nobody as urgent, or more, is ready; 1: somebody as urgent, and nobody more; else somebody more urgent.
  BATON_INLINE uint32_t from(priority p) const { return used_ >> p; }

  /// Behind its equals.
  BATON_INLINE void push_inline(tcb* t) {
    tcb*& tail = tails_[t->priority];
    if (tail) {
      t->next = tail->next;
      tail->next = t;
    } else {
      t->next = t;
      used_ |= 1ul << t->priority;
    }
    tail = t;
  }

  BATON_NOINLINE void push(tcb* t) { push_inline(t); }

  /// `push` of a task that has run, then `pop`. What mostly happens in one: another as urgent is ready, and nobody more.
  BATON_INLINE tcb* exchange(tcb* t) {
    if (BATON_UNLIKELY(from(t->priority) != 1)) {
      push(t);
      return pop();
    }
    tcb*& tail = tails_[t->priority];
    tcb* last = tail;
    tcb* head = last->next;
    tail = t;
    t->next = head == last ? t : head->next;
    last->next = t;
    head->next = nullptr;
    return head;
  }

  /// Before its equals: it was running, and somebody more urgent came.
  BATON_NOINLINE void push_front(tcb* t) {
    tcb* tail = tails_[t->priority];
    push(t);
    if (tail) tails_[t->priority] = tail;
  }

  /// The first of the most urgent; null where none is ready.
  BATON_INLINE tcb* pop() {
    if (BATON_UNLIKELY(!used_)) return nullptr;
    tcb*& tail = tails_[highest(used_)];
    tcb* head = tail->next;
    if (BATON_LIKELY(head == tail)) {
      used_ &= ~(1ul << head->priority);
      tail = nullptr;
    } else {
      tail->next = head->next;
    }
    head->next = nullptr;
    return head;
  }

  /// Cost     O(equals)
  void remove(tcb* t) {
    tcb*& tail = tails_[t->priority];
    tcb* before = tail;
    while (before->next != t) before = before->next;
    if (before == t) {
      used_ &= ~(1ul << t->priority);
      tail = nullptr;
    } else {
      before->next = t->next;
      if (tail == t) tail = before;
    }
    t->next = nullptr;
  }

 private:
  static BATON_INLINE int highest(uint32_t bits) {
    return static_cast<int>(sizeof(long) * 8 - 1) - __builtin_clzl(bits);
  }

  tcb** tails_ = nullptr;
  uint32_t used_ = 0;
};

/// The queue of those who send to a task: the most urgent first, first come, first served among equals. Linked by `tcb::next`, the last
/// one's is null.
struct senders {
  /// Cost     O(senders that are as urgent)
  static void insert(tcb* receiver, tcb* sender) {
    tcb** link = &receiver->senders;
    while (*link && (*link)->priority >= sender->priority) link = &(*link)->next;
    sender->next = *link;
    *link = sender;
  }

  static void remove(tcb* receiver, tcb* sender) {
    tcb** link = &receiver->senders;
    while (*link != sender) link = &(*link)->next;
    *link = sender->next;
    sender->next = nullptr;
  }

  static BATON_INLINE tcb* pop(tcb* receiver) {
    tcb* sender = receiver->senders;
    receiver->senders = sender->next;
    sender->next = nullptr;
    return sender;
  }
};

/// Who waits with a timeout, by due time, first come, first served. Linked by `tcb::next_timed`.
class timeouts {
 public:
  tcb* first() const { return first_; }

  /// Cost     O(timeouts that are due before). true: it is the first one now.
  bool arm(tcb* t, tick due) {
    t->due = due;
    t->state_bits |= timed;
    tcb** link = &first_;
    while (*link && static_cast<tick_difference>(due - (*link)->due) >= 0) link = &(*link)->next_timed;
    t->next_timed = *link;
    *link = t;
    return first_ == t;
  }

  void disarm(tcb* t) {
    tcb** link = &first_;
    while (*link != t) link = &(*link)->next_timed;
    *link = t->next_timed;
    t->next_timed = nullptr;
    t->state_bits &= static_cast<uint8_t>(~timed);
  }

 private:
  tcb* first_ = nullptr;
};

}  // namespace kernel
}  // namespace baton
