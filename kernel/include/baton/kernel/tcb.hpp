// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/walk.hpp>

namespace baton {
namespace kernel {

using request = kernel_port::request;

/// The largest stack of a task, in bytes.
constexpr word largest_stack = sizeof(word) == 2 ? 0x7fff : 0xffffff;

/// A task control block: a slot in the table of tasks, and the state of the task in it.
///
/// Context  the kernel alone writes it; an interrupt touches only `notifications`. A task in no
///          queue has a null `next`.
struct tcb {
  tcb* next = nullptr;            // in a ready ring, in a queue of senders, or of lenders
  request* call = nullptr;        // while it waits: its request
  tcb* peer = nullptr;            // while it waits for one task's receive, reply or message: that task; else null
  tcb* senders = nullptr;         // the tasks that send to it, the most urgent first
  tcb* lenders = nullptr;         // the other tasks from which it inherits, the most urgent first
  tid id = no_task;               // the id of the task in the slot or, while it is free, of the next one
  word token = 0;                 // names its message for the reply: the slot, and a number
  uint8_t state_bits = 0;         // a `state`, and the bits `timed` and `lending`
  kernel::priority priority = 0;  // its own, or that of the most urgent task that waits for it
  kernel::priority base_priority = 0;
  bool is_privileged = false;
  word notifications = 0;      // bits that it has not taken
  word notification_mask = 0;  // bits that end its `receive`
  tcb* next_timed = nullptr;
  tick due = 0;
  const char* name = nullptr;
  uint32_t* stack = nullptr;  // its lowest word
  struct {
    uint32_t stack_bytes : 24;  // up to `largest_stack`
    uint32_t parent : 8;        // the slot of its maker, from 1; 0: main made it, or the first of its makers
  } made = {0, 0};
  kernel_port::context context;
#ifdef BATON_TASK_TIMES
  task_time time = {0, 0};  // see task_times.hpp
#endif

  /// Ends the right to reply to the messages that it has sent so far. A token is never 0.
  BATON_INLINE void renew_token() { token = static_cast<word>(token + 0x200); }

  bool is_free() const { return state_bits == static_cast<uint8_t>(kernel::state::free); }
  kernel::state state() const {
    return static_cast<kernel::state>(state_bits & static_cast<uint8_t>(~(timed | lending)));
  }
  bool is_lending() const { return (state_bits & lending) != 0; }
  bool is_timed() const { return (state_bits & timed) != 0; }
  void become(kernel::state s) { state_bits = static_cast<uint8_t>(s); }
  bool is(kernel::state s) const { return state_bits == static_cast<uint8_t>(s); }
};

/// The ready tasks: a ring for each priority, first in, first out, and a bit for each ring that is
/// not empty.
///
/// Shape    `tails` points to one pointer per priority, the application's memory. The running task
///          is in no ring.
class ready_queue {
 public:
  void use(tcb** tails) { tails_ = tails; }

  BATON_INLINE bool is_empty() const { return used_ == 0; }

  /// Compares the ready tasks with `p`. 0: none is as urgent, or more; 1: some are as urgent, and
  /// none more; else one is more urgent.
  BATON_INLINE uint32_t from(priority p) const { return used_ >> p; }

  /// Puts a task behind its equals.
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

  /// Does `push` of a task that has run, then `pop`, both in one step in the usual case: others as
  /// urgent are ready, and none is more urgent.
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

  /// Puts a task before its equals: it was running, and a more urgent task came.
  BATON_NOINLINE void push_front(tcb* t) {
    tcb* tail = tails_[t->priority];
    push(t);
    if (tail) tails_[t->priority] = tail;
  }

  /// Takes the first of the most urgent tasks; null if none is ready.
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
  BATON_NOINLINE void remove(tcb* t) {
    tcb*& tail = tails_[t->priority];
    tcb* before = tail;
    for (walk<10> w; before->next != t; w.step()) before = before->next;
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

/// The queue of the tasks that send to a task: the most urgent first, first come, first served
/// among equals. Linked by `tcb::next`; that of the last task is null.
struct senders {
  /// Cost     O(senders that are as urgent)
  BATON_NOINLINE static void insert(tcb* receiver, tcb* sender) {
    tcb** link = &receiver->senders;
    for (walk<10> w; *link && (*link)->priority >= sender->priority; w.step()) link = &(*link)->next;
    sender->next = *link;
    *link = sender;
  }

  BATON_NOINLINE static void remove(tcb* receiver, tcb* sender) {
    tcb** link = &receiver->senders;
    for (walk<10> w; *link != sender; w.step()) link = &(*link)->next;
    *link = sender->next;
    sender->next = nullptr;
  }

  /// Puts a sender before all others, to be taken at once.
  static void push_front(tcb* receiver, tcb* sender) {
    sender->next = receiver->senders;
    receiver->senders = sender;
  }

  static BATON_INLINE tcb* pop(tcb* receiver) {
    tcb* sender = receiver->senders;
    receiver->senders = sender->next;
    sender->next = nullptr;
    return sender;
  }
};

/// The clients whose message a task has received and not answered, and the tasks that wait for its
/// message alone, as far as they are more urgent than the task's own priority: the others lend it
/// nothing. The most urgent first, linked by `tcb::next`; that of the last client is null.
struct lenders {
  static BATON_INLINE bool has(const tcb* receiver, const tcb* client) {
    return client->priority > receiver->base_priority;
  }

  /// Cost     O(lenders that are more urgent)
  static BATON_INLINE void insert(tcb* receiver, tcb* client) {
    tcb* const first = receiver->lenders;
    if (BATON_UNLIKELY(first && first->priority > client->priority)) return insert_behind(first, client);
    client->next = first;
    receiver->lenders = client;
  }

  /// Cost     O(lenders that are as urgent, or more)
  static BATON_INLINE void remove(tcb* receiver, tcb* client) {
    if (BATON_UNLIKELY(receiver->lenders != client)) return remove_behind(receiver->lenders, client);
    receiver->lenders = client->next;
    client->next = nullptr;
  }

 private:
  static BATON_NOINLINE void insert_behind(tcb* before, tcb* client) {
    for (walk<10> w; before->next && before->next->priority > client->priority; w.step()) before = before->next;
    client->next = before->next;
    before->next = client;
  }
  static BATON_NOINLINE void remove_behind(tcb* before, tcb* client) {
    for (walk<10> w; before->next != client; w.step()) before = before->next;
    before->next = client->next;
    client->next = nullptr;
  }
};

/// Puts a client, for its priority, into the list of the task that it waits for.
BATON_NOINLINE inline void enter_list_of_peer(tcb* client) {
  if (client->state() == state::send_wait) {
    senders::insert(client->peer, client);
  } else if (lenders::has(client->peer, client)) {
    lenders::insert(client->peer, client);
  }
}

/// Takes it out again.
BATON_NOINLINE inline void leave_list_of_peer(tcb* client) {
  if (client->state() == state::send_wait) {
    senders::remove(client->peer, client);
  } else if (lenders::has(client->peer, client)) {
    lenders::remove(client->peer, client);
  }
}

/// The tasks that wait with a timeout, by due time, first come, first served among equals. Linked
/// by `tcb::next_timed`.
class timeouts {
 public:
  tcb* first() const { return first_; }

  /// Arms the timeout of `t`. true: it is the first one.
  /// Cost     O(timeouts that are due before)
  bool arm(tcb* t, tick due) {
    t->due = due;
    t->state_bits |= timed;
    tcb** link = &first_;
    for (walk<10> w; *link && static_cast<tick_difference>(due - (*link)->due) >= 0; w.step())
      link = &(*link)->next_timed;
    t->next_timed = *link;
    *link = t;
    return first_ == t;
  }

  BATON_NOINLINE void disarm(tcb* t) {
    tcb** link = &first_;
    for (walk<10> w; *link != t; w.step()) link = &(*link)->next_timed;
    *link = t->next_timed;
    t->next_timed = nullptr;
    t->state_bits &= static_cast<uint8_t>(~timed);
  }

 private:
  tcb* first_ = nullptr;
};

}  // namespace kernel
}  // namespace baton
