// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>

#if __has_include(<mutex>)
#include <mutex>

/// How coroutines of several loops wait for the same thing.
namespace baton {
namespace async {
namespace detail {

struct shared_wait;

/// A loop that was sent something under a lock is woken when that is free again.
struct ring_later {
  ring_later() = default;
  ring_later(const ring_later&) = delete;
  ring_later& operator=(const ring_later&) = delete;
  ~ring_later() {
    if (to) to->ring();
  }
  inbox* to = nullptr;
};

/// Which case of a select happens, where other threads decide with its own: whoever changes the word first has decided.
///
/// Context  a thread that takes a case out of a shared list decides under that list's lock, and before anything moves; the select's own loop without one.
struct shared_claim {
  static constexpr uint8_t open = 0xff;
  static constexpr uint8_t withdrawn = 0xfe;

  bool take(uint8_t by) noexcept {
    uint8_t expected = open;
    return __atomic_compare_exchange_n(&winner, &expected, by, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

  /// While other threads may still try.
  uint8_t decided() const noexcept { return __atomic_load_n(&winner, __ATOMIC_ACQUIRE); }

  uint8_t winner = open;
};

/// Who waits, first in, first out. Under its owner's lock.
struct shared_list {
  inline void push(shared_wait& w) noexcept;
  inline void remove(shared_wait& w) noexcept;
  /// The oldest that can still be served. The case of a select is claimed by it; one to which something has happened elsewhere goes, and the next is looked at.
  inline shared_wait* pop() noexcept;
  /// Whether anybody else waits than the cases of that select.
  inline bool has_others(const shared_claim& than) const noexcept;

  shared_wait* first = nullptr;
  shared_wait* last = nullptr;
};

/// One wait: in the operation, in the frame of the C++20 coroutine that waits; of a stackless one in its base.
///
/// Shape    the waiter stands in no list of core's; its loop alone touches it. What another thread decides it writes here, under the lock, and
///          sends; when that has arrived, the loop ends the wait.
/// Context  a wait ends once, under the lock: it is taken out of its list there, by whoever hands something over, closes, or withdraws it. To hand over is to send:
///          a loop that has ended refuses, and the next in the list is served.
struct shared_wait {
  enum state : uint8_t { idle, listed, in_service, taken };

  /// The running coroutine is about to be listed. `arrive` is told, by its loop, that the wait has ended.
  void begin(waiter& on_behalf_of, std::mutex& m, void* s, parcel::function arrive) noexcept {
    BATON_REQUIRE(cross_loop_wait_without_loop, own_inbox());
    who = &on_behalf_of;
    lock = &m;
    home = own_inbox();
    slot = s;
    claim = nullptr;
    now = idle;
    ended = parcel(arrive, this);
  }

  /// It is listed; its lock is free again.
  void suspend() noexcept {
    who->slot = this;
    who->on = waiter::elsewhere;
    ready::leave(who);
    who->next = nullptr;
    trace(transition::wait, who, list);
  }

  /// Under the lock, out of its list: the wait ends. false: its loop has ended, and nobody waits.
  bool hand(status s, ring_later& ring) noexcept {
    inbox* const to = home;
    how = s;
    now = taken;
    const pushed became = to->push(ended);  // from here on it may be gone
    if (became == pushed::to_resting) ring.to = to;
    if (became != pushed::refused) return true;
    now = idle;
    return false;
  }

  /// By its loop. false: too late, the end is on its way.
  static bool withdraw(waiter& w) noexcept {
    if (w.on != waiter::elsewhere) return false;
    shared_wait& self = *static_cast<shared_wait*>(w.slot);
    const std::lock_guard<std::mutex> hold(*self.lock);
    if (self.now == taken) return false;
    if (self.now == listed) self.list->remove(self);
    if (self.now == in_service) *self.held_by = nullptr;
    self.now = idle;
    return true;
  }

  /// By its loop: the same, and where it is too late the end arrives now. It is there: it was sent under the lock.
  static bool settle(waiter& w) noexcept {
    if (withdraw(w)) return true;
    if (w.on == waiter::elsewhere) static_cast<shared_wait*>(w.slot)->home->deliver();
    return false;
  }

  /// By its loop, once it has ended.
  bool was_handed() const noexcept { return now == taken && how == status::ok; }

  /// By its loop: the coroutine is destroyed. true: it had been handed something.
  bool abandon(waiter& w) noexcept {
    if (!settle(w)) return was_handed();
    w.end(status::cancelled);
    return false;
  }

  shared_wait* next = nullptr;
  shared_wait* before = nullptr;
  shared_list* list = nullptr;
  union {
    shared_claim* claim = nullptr;  // listed: of the select whose case it is
    shared_wait** held_by;          // in service: the server's hold on it
  };
  std::mutex* lock = nullptr;
  inbox* home = nullptr;
  waiter* who = nullptr;
  void* slot = nullptr;
  parcel ended{nullptr, nullptr};
  status how = status::ok;
  state now = idle;
  uint8_t number = 0;  // of the case
};

inline void shared_list::push(shared_wait& w) noexcept {
  w.next = nullptr;
  w.before = last;
  (last ? last->next : first) = &w;
  last = &w;
  w.list = this;
  w.now = shared_wait::listed;
}

inline void shared_list::remove(shared_wait& w) noexcept {
  (w.before ? w.before->next : first) = w.next;
  (w.next ? w.next->before : last) = w.before;
  w.now = shared_wait::idle;
}

inline shared_wait* shared_list::pop() noexcept {
  while (shared_wait* w = first) {
    remove(*w);
    if (BATON_LIKELY(!w->claim) || w->claim->take(w->number)) return w;
  }
  return nullptr;
}

inline bool shared_list::has_others(const shared_claim& than) const noexcept {
  const shared_wait* w = first;
  while (w && w->claim == &than) w = w->next;
  return w != nullptr;
}

/// Ends every wait with `how`.
inline void end_all(shared_list& l, status how) noexcept {
  while (shared_wait* w = l.pop()) {
    ring_later ring;
    w->hand(how, ring);
  }
}

/// What is known of each operation on something shared.
struct on_something_shared {};
template <typename Operation>
concept shared_one = __is_base_of(on_something_shared, Operation);

/// What a wait needs of an operation on something shared.
///
/// Shape    `Derived` has `bool attempt(status& ended, ring_later&, shared_wait&)`, `list()`, and to be a case of a select `bool is_possible(const shared_claim&)`, all
///          under the lock. What else it may say, it says in place of what stands here: what the end of a wait is, and how what was handed over is given back.
template <typename Derived>
struct shared_operation : on_something_shared {
  shared_operation(std::mutex& m, void* s) noexcept : lock(&m), slot(s) {}

  static constexpr bool selectable = false;  // not by core's select

  static uint8_t code_of(status s) noexcept { return static_cast<uint8_t>(s); }
  void give_back() const noexcept {}

  template <typename Waiter>
  bool try_now(Waiter& w) noexcept {
    static_assert(
        !__is_base_of(suspendable, Waiter),
        "a stackless coroutine that waits for something shared needs room for it: the base baton::async::sharing");
    return self().try_once(w);
  }
  bool try_once(waiter& w) noexcept {
    ring_later ring;
    const std::lock_guard<std::mutex> hold(*lock);
    status s = status::ok;
    if (!self().attempt(s, ring, record)) return false;
    w.end(s);
    return true;
  }

  void suspend(waiter& w) noexcept { suspend_in(record, w); }
  void suspend_in(shared_wait& r, waiter& w) noexcept {
    status s = status::ok;
    if (!attempt_or_list(r, w, s)) return r.suspend();
    end_at_once(w, s);
    w.on = Derived::code_of(s);
  }

  static bool withdraw(waiter& w) noexcept { return shared_wait::withdraw(w); }

  /// The coroutine is destroyed.
  void abandon(waiter& w) noexcept {
    if (record.abandon(w)) self().give_back();
  }

  std::mutex* lock;
  void* slot;
  shared_wait record;

 private:
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  static void arrive(void* p) {
    const shared_wait& r = *static_cast<shared_wait*>(p);
    wake(r.who, Derived::code_of(r.how));
  }

  bool attempt_or_list(shared_wait& r, waiter& w, status& s) noexcept {
    ring_later ring;
    const std::lock_guard<std::mutex> hold(*lock);
    r.begin(w, *lock, slot, &arrive);
    if (self().attempt(s, ring, r)) return true;
    if (r.now == shared_wait::idle) self().list().push(r);
    return false;
  }
};

}  // namespace detail
}  // namespace async
}  // namespace baton
#endif
