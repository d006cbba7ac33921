// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>

#if __has_include(<mutex>)
#include <mutex>

/// The waits of coroutines of several loops for one object.
namespace baton::BATON_VARIANT::async {
namespace detail {

struct cross_loop_wait;

/// Wakes a loop that was sent a message under a lock, after the lock is released.
struct notify_later {
  notify_later() = default;
  notify_later(const notify_later&) = delete;
  notify_later& operator=(const notify_later&) = delete;
  ~notify_later() {
    if (to) to->notify();
  }
  mailbox* to = nullptr;
};

/// Decides which case of a select happens, if other threads may decide too: the thread that changes
/// the word first has decided.
///
/// Context  a thread that takes a case out of a cross-loop list decides under the lock of that
///          list, before it copies anything; the select's own loop decides without a lock.
struct cross_loop_claim {
  static constexpr uint8_t open = 0xff;
  static constexpr uint8_t withdrawn = 0xfe;

  bool take(uint8_t by) noexcept {
    uint8_t expected = open;
    return __atomic_compare_exchange_n(&winner, &expected, by, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

  /// The decision so far, for use while other threads may still decide.
  uint8_t decided() const noexcept { return __atomic_load_n(&winner, __ATOMIC_ACQUIRE); }

  uint8_t winner = open;
};

/// The waiters of an object, first in, first out. Accessed under the object's lock.
struct cross_loop_list {
  inline void push(cross_loop_wait& w) noexcept;
  inline void remove(cross_loop_wait& w) noexcept;
  /// Takes out the oldest waiter that can still be served. The case of a select is claimed here; a
  /// case whose select has been decided elsewhere is dropped, and the next waiter is tried.
  inline cross_loop_wait* pop() noexcept;
  /// True if there is a waiter besides the cases of the select `than`.
  inline bool has_others(const cross_loop_claim& than) const noexcept;

  cross_loop_wait* first = nullptr;
  cross_loop_wait* last = nullptr;
};

/// One wait. Its record is in the operation, in the frame of a C++20 coroutine; for a stackless
/// coroutine, in its base.
///
/// Shape    the waiter is in no list of core's, and its loop alone touches it. Another thread
///          writes its decision here, under the lock, and sends the message node; when the node has
///          arrived, the loop ends the wait.
/// Context  a wait ends once, under the lock: the thread that hands over, closes or withdraws takes
///          it out of its list. To hand over is to send: the mailbox of a loop that has ended
///          refuses, and the next waiter in the list is served.
struct cross_loop_wait {
  enum wait_phase : uint8_t { idle, listed, in_service, taken };

  /// The waiter's state (`waiter::on`) from the beginning of the wait to its end.
  static constexpr uint8_t elsewhere = baton::spi::first_state_of_modules;

  /// Prepares the record of the running coroutine. The loop calls `arrive` when the wait has ended.
  void begin(waiter& on_behalf_of, std::mutex& m, void* s, message_node::function arrive) noexcept {
    BATON_REQUIRE(cross_loop_wait_without_loop, own_mailbox());
    who = &on_behalf_of;
    lock = &m;
    mailbox_ = own_mailbox();
    slot = s;
    claim = nullptr;
    phase = idle;
    ended = message_node(arrive, this);
  }

  /// Suspends the coroutine. Its record is listed, and the lock is released.
  void suspend() noexcept {
    who->slot = this;
    who->on = elsewhere;
    ready::leave(who);
    who->next = nullptr;
    trace(transition::wait, who, list);
  }

  /// Ends the wait of a record that is out of its list. The caller holds the lock. false: the
  /// waiter's loop has ended, so the coroutine does not wait any more.
  bool hand(status s, notify_later& notify) noexcept {
    mailbox* const to = mailbox_;
    how = s;
    phase = taken;
    const pushed became = to->push(ended);  // from here on it may be gone
    if (became == pushed::to_sleeping) notify.to = to;
    if (became != pushed::refused) return true;
    phase = idle;
    return false;
  }

  /// Withdraws the wait; called by its loop. false: too late, the end is on its way.
  static bool withdraw(waiter& w) noexcept {
    if (w.on != elsewhere) return false;
    cross_loop_wait& self = *static_cast<cross_loop_wait*>(w.slot);
    const std::lock_guard<std::mutex> hold(*self.lock);
    if (self.phase == taken) return false;
    if (self.phase == listed) self.list->remove(self);
    if (self.phase == in_service) *self.held_by = nullptr;
    self.phase = idle;
    return true;
  }

  /// Withdraws the wait; if it is too late, delivers the end. The end is in the mailbox, since it
  /// was sent under the lock. Called by its loop.
  static bool settle(waiter& w) noexcept {
    if (withdraw(w)) return true;
    if (w.on == elsewhere) static_cast<cross_loop_wait*>(w.slot)->mailbox_->deliver();
    return false;
  }

  /// True if a value was handed over. Called by its loop after the wait has ended.
  bool was_handed() const noexcept { return phase == taken && how == status::ok; }

  /// Ends the wait of a coroutine that is destroyed; called by its loop. true: a value had been
  /// handed to it.
  bool abandon(waiter& w) noexcept {
    const bool waited = settle(w);
    if (w.next) ready::remove(&w);  // the end has just arrived
    w.end(status::cancelled);
    return !waited && was_handed();
  }

  cross_loop_wait* next = nullptr;
  cross_loop_wait* before = nullptr;
  cross_loop_list* list = nullptr;
  union {
    cross_loop_claim* claim = nullptr;  // listed: of the select whose case it is
    cross_loop_wait** held_by;          // in service: the server's hold on it
  };
  std::mutex* lock = nullptr;
  mailbox* mailbox_ = nullptr;
  waiter* who = nullptr;
  void* slot = nullptr;
  message_node ended{nullptr, nullptr};
  status how = status::ok;
  wait_phase phase = idle;
  uint8_t number = 0;  // of the case
};

inline void cross_loop_list::push(cross_loop_wait& w) noexcept {
  w.next = nullptr;
  w.before = last;
  (last ? last->next : first) = &w;
  last = &w;
  w.list = this;
  w.phase = cross_loop_wait::listed;
}

inline void cross_loop_list::remove(cross_loop_wait& w) noexcept {
  (w.before ? w.before->next : first) = w.next;
  (w.next ? w.next->before : last) = w.before;
  w.phase = cross_loop_wait::idle;
}

inline cross_loop_wait* cross_loop_list::pop() noexcept {
  while (cross_loop_wait* w = first) {
    remove(*w);
    if (BATON_LIKELY(!w->claim) || w->claim->take(w->number)) return w;
  }
  return nullptr;
}

inline bool cross_loop_list::has_others(const cross_loop_claim& than) const noexcept {
  const cross_loop_wait* w = first;
  while (w && w->claim == &than) w = w->next;
  return w != nullptr;
}

/// Ends the wait of every listed waiter with `how`.
inline void end_all(cross_loop_list& l, status how) noexcept {
  while (cross_loop_wait* w = l.pop()) {
    notify_later notify;
    w->hand(how, notify);
  }
}

/// Marks every cross-loop operation.
struct cross_loop_tag {};
template <typename Operation>
concept crosses_loops = __is_base_of(cross_loop_tag, Operation);

/// The common part of cross-loop operations.
///
/// Shape    `Derived` has `bool attempt(status& ended, notify_later&, cross_loop_wait&)` and
///          `list()`; to be a case of a select it has `bool is_possible(const cross_loop_claim&)`.
///          All are called under the lock. It may replace `code_of`, the result of the wait, and
///          `give_back`, which returns a value that was handed over.
template <typename Derived>
struct cross_loop_operation : cross_loop_tag {
  cross_loop_operation(std::mutex& m, void* s) noexcept : lock(&m), slot(s) {}

  static constexpr bool selectable = false;  // not a case of core's select

  static uint8_t code_of(status s) noexcept { return static_cast<uint8_t>(s); }
  void give_back() const noexcept {}

  template <typename Waiter>
  bool try_now(Waiter& w) noexcept(!may_throw<Derived>) {
    static_assert(!__is_base_of(suspendable, Waiter),
                  "a stackless coroutine that waits for a cross-loop object needs the base "
                  "baton::async::cross_loop_base");
    return self().try_once(w);
  }
  bool try_once(waiter& w) noexcept(!may_throw<Derived>) {
    notify_later notify;
    const std::lock_guard<std::mutex> hold(*lock);
    status s = status::ok;
    if (!self().attempt(s, notify, record)) return false;
    w.end(s);
    return true;
  }

  /// If a copy throws, the coroutine does not wait: its job is still the head of the ready queue.
  void suspend(waiter& w) noexcept(!may_throw<Derived>) { suspend_in(record, w); }
  void suspend_in(cross_loop_wait& r, waiter& w) noexcept(!may_throw<Derived>) {
    status s = status::ok;
    if (!attempt_or_list(r, w, s)) return r.suspend();
    end_at_once(w, s);
    w.on = Derived::code_of(s);
  }

  static bool withdraw(waiter& w) noexcept { return cross_loop_wait::withdraw(w); }

  /// Called when the coroutine is destroyed.
  void abandon(waiter& w) noexcept {
    const bool has_taken = takes<Derived> && w.on == waiter::delivered;
    if (record.abandon(w) || has_taken) self().give_back();
  }

  std::mutex* lock;
  void* slot;
  cross_loop_wait record;

 private:
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  static void arrive(void* p) {
    const cross_loop_wait& r = *static_cast<cross_loop_wait*>(p);
    wake(r.who, Derived::code_of(r.how));
  }

  bool attempt_or_list(cross_loop_wait& r, waiter& w, status& s) noexcept(!may_throw<Derived>) {
    notify_later notify;
    const std::lock_guard<std::mutex> hold(*lock);
    r.begin(w, *lock, slot, &arrive);
    if (self().attempt(s, notify, r)) return true;
    if (r.phase == cross_loop_wait::idle) self().list().push(r);
    return false;
  }
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
#endif
