// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lease.hpp>
#include <baton/kernel_port.hpp>
#include <stddef.h>

namespace baton {
namespace test {

/// The state of all tasks and their waits, kept as plainly as possible. There are no queues, only
/// marks of the order of coming; inherited priorities are computed from scratch after each change.
/// It shares no code with the kernel.
///
/// Shape    tasks are numbers, slots of the table; nobody is -1.
struct reference_state {
  using word = kernel::word;
  using error = kernel::error;
  using state = kernel::state;
  static constexpr int nobody = -1;

  struct slot {
    state what = state::free;
    kernel::tid id = 0;
    word token = 0;  // names its message: another one after each
    int base_priority = 0;
    int priority = 0;
    bool is_queued = false;  // ready, and not running
    int64_t order = 0;       // among those as urgent in the same queue
    int on = nobody;         // the task that it has sent to
    bool is_timed = false;
    bool lends = false;  // the pieces of the list at `asked.first`
    tick due = 0;
    int64_t timed_order = 0;
    kernel::tid parent = 0;
    bool is_privileged = false;
    bool is_overwritten = false;  // the guard of its stack
    int stack = nobody;
    word notifications = 0;
    word notification_mask = 0;
    bool has_called = false;
    bool is_counted = false;          // by a test
    kernel_port::request asked = {};  // its last call
    word first = 0;                   // the answer of that call, when it has ended
    word second = 0;
    bool has_second = false;
    kernel::tid sender = 0;
    bool has_sender = false;
    bool has_message = false;  // its buffer must hold these bytes
    word message = 0;
    word message_bytes = 0;
  };

  /// A report on an end that was not taken.
  struct report {
    kernel::tid id = kernel::no_task;
    kernel::ending how = {};
    kernel::fault why = {};
    int lost = 0;
    kernel::tid to = kernel::no_task;  // whom it is for
  };

  /// The reports that were not taken, the oldest first, in the object itself, too.
  struct report_list {
    static constexpr size_t most = 8;

    size_t size() const { return count; }
    const report* begin() const { return of; }
    const report* end() const { return of + count; }
    report& operator[](size_t i) { return of[i]; }
    void push_back(const report& r) { of[count++] = r; }
    void erase(size_t i) {
      for (--count; i != count; ++i) of[i] = of[i + 1];
    }

    size_t count = 0;
    report of[most];
  };

  /// The slots, in the object itself: a copy of the reference is a copy of its bytes.
  struct slot_table {
    static constexpr size_t most = 10;

    explicit slot_table(size_t slot_count) : count(slot_count) {}

    size_t size() const { return count; }
    slot& operator[](size_t i) { return of[i]; }
    const slot& operator[](size_t i) const { return of[i]; }
    const slot* begin() const { return of; }
    const slot* end() const { return of + count; }

    size_t count;
    slot of[most];
  };

  reference_state(int count, int event_count) : slots(static_cast<size_t>(count)), events(event_count) {
    for (int i = 0; i < count; ++i) at(i).token = at(i).id = 0x100u + static_cast<word>(i);
  }

  slot& at(int t) { return slots[static_cast<size_t>(t)]; }
  const slot& at(int t) const { return slots[static_cast<size_t>(t)]; }
  slot& self() { return at(running); }
  int size() const { return static_cast<int>(slots.size()); }

  int find(kernel::tid id) const {
    for (int t = 0; t < size(); ++t) {
      if (at(t).what != state::free && at(t).id == id) return t;
    }
    return nobody;
  }

  int client_of(word token) const {
    for (int t = 0; t < size(); ++t) {
      if (at(t).token == token) return t;
    }
    return nobody;
  }

  int waiter_of(int event) const {
    for (int t = 0; t < size(); ++t) {
      if (at(t).what == state::event_wait && at(t).asked.first == static_cast<word>(event)) return t;
    }
    return nobody;
  }

  /// The order of a queue: the more urgent first, then the first that came.
  bool is_before(int a, int b) const {
    return at(a).priority != at(b).priority ? at(a).priority > at(b).priority : at(a).order < at(b).order;
  }

  int first_ready() const {
    int best = nobody;
    for (int t = 0; t < size(); ++t) {
      if (at(t).is_queued && (best == nobody || is_before(t, best))) best = t;
    }
    return best;
  }

  int first_sender_to(int receiver) const {
    int best = nobody;
    for (int t = 0; t < size(); ++t) {
      const bool sends = at(t).what == state::send_wait && at(t).on == receiver;
      if (sends && (best == nobody || is_before(t, best))) best = t;
    }
    return best;
  }

  bool is_timed_before(int a, int b) const {
    return at(a).due != at(b).due ? at(a).due < at(b).due : at(a).timed_order < at(b).timed_order;
  }

  int first_timed() const {
    int best = nobody;
    for (int t = 0; t < size(); ++t) {
      if (at(t).is_timed && (best == nobody || is_timed_before(t, best))) best = t;
    }
    return best;
  }

  bool would_deadlock(int from, int to) const {
    for (; to != nobody; to = at(to).on) {
      if (to == from) return true;
    }
    return false;
  }

  // Changes.

  /// Makes each task as urgent as the tasks that wait for it, directly or not. A task whose
  /// priority changes comes last in its queue.
  void inherit() {
    int priority[slot_table::most] = {};
    for (int t = 0; t < size(); ++t) {
      for (int server = t; server != nobody; server = at(server).on) {
        int& u = priority[server];
        if (at(t).what != state::free && u < at(t).base_priority) u = at(t).base_priority;
      }
    }
    for (int t = 0; t < size(); ++t) {
      const int u = priority[t];
      if (at(t).what == state::free || at(t).priority == u) continue;
      at(t).priority = u;
      at(t).order = ++last_;
    }
  }

  void make_ready(int t) {
    at(t).what = state::ready;
    at(t).is_queued = true;
    at(t).order = ++last_;
  }

  void run(int t) {
    running = t;
    if (t != nobody) at(t).is_queued = false;
  }

  void run_next() { run(first_ready()); }

  /// Runs the most urgent task: the running one goes on, or becomes the first of its equals.
  void yield_to_higher_priority() {
    const int other = first_ready();
    if (running == nobody) return run(other);
    if (other == nobody || at(other).priority <= self().priority) return;
    self().is_queued = true;
    self().order = --first_;
    run(other);
  }

  /// Makes the running task wait.
  void wait(state what, tick timeout) {
    self().what = what;
    self().order = ++last_;
    if (timeout == kernel::unlimited) return;
    self().is_timed = true;
    self().due = now + timeout;
    self().timed_order = ++last_;
  }

  /// Ends a task's wait in every list, and its effect on priorities.
  void leave(int t) {
    at(t).is_timed = at(t).lends = false;
    if (at(t).on != nobody) at(t).token += 0x200;
    at(t).on = nobody;
    at(t).what = state::ready;
    inherit();
  }

  void wake(int t, word result) {
    at(t).first = result;
    leave(t);
    make_ready(t);
  }

  void wake(int t, error e) { wake(t, raw(e)); }

  void end(int t) {
    leave(t);
    at(t).is_queued = false;
    for (int other = 0; other < size(); ++other) {
      if (at(other).on == t) wake(other, error::peer_gone);
      if (at(other).parent == at(t).id) at(other).parent = at(t).parent;
    }
    const slot former = at(t);
    at(t) = slot{};
    at(t).id = former.id + 0x100;
    at(t).token = former.token;
    if (running == t) running = nobody;
  }

  static word raw(error e) { return word{0} - static_cast<word>(e); }
  bool is_due(tick due) const { return due <= now; }

  slot_table slots;
  size_t reports = 0;  // the size of end_reports; 0: there are none
  report_list kept;
  int lost = 0;
  report taken;  // by the last call
  kernel::tid of_orphans = kernel::no_task;
  kernel::tid told = kernel::no_task;  // of an end, in the last call
  int overflown = nobody;              // the task whose stack was found overwritten at the end of the last call
  slot ended;                          // that task before its end, with what the call gave
  int events;
  int running = nobody;
  uint32_t raised = 0;
  bool has_notifications = false;
  tick slice = 0;
  tick slice_end = 0;
  kernel::tid sliced = 0;
  int consecutive_handoffs = 0;
  tick now = 0;  // since `base`, so that it does not wrap
  tick base = 0;

 private:
  int64_t last_ = 0;
  int64_t first_ = 0;
};

}  // namespace test
}  // namespace baton
