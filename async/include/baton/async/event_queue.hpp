// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {
namespace async {

/// First-in-first-out queue of small events of one domain.
///
///     while (co_await queue.wait() == status::ok) {
///       queue.drain([](const event& e) { handle(e); });
///       co_await async::yield();
///     }
///
/// Shape    `Capacity` events, inline; a power of two. An event is copied as bytes: of 16 to 64, with its type as a number in it.
/// Context  the domain's jobs; from other threads: `outbox`. `push` wakes the oldest who waits; a wait that is cancelled or times
///          out has taken nothing. What handles events may push more.
/// Cost     bench/suites/async.cpp, case event.
/// Errors   full: the event is not stored. `closed` after `close()`; what is stored can still be taken.
template <typename Event, uint32_t Capacity>
class event_queue : domain_affinity {
  static_assert(Capacity != 0 && (Capacity & (Capacity - 1)) == 0, "Capacity must be a power of two");
  static_assert(__is_trivially_copyable(Event), "an event is copied as bytes: send an index or a pointer instead");

 public:
  struct wait_operation;
  struct receive_operation;

  event_queue() = default;
  event_queue(const event_queue&) = delete;
  event_queue& operator=(const event_queue&) = delete;
  /// Closes.
  ~event_queue() { close_list(waiters_); }

  uint32_t size() const { return tail_ - head_; }
  bool is_empty() const { return head_ == tail_; }

  /// Puts an event behind the others. Never waits.
  BATON_NODISCARD BATON_INLINE status push(const Event& e) {
    this->check();
    if (BATON_UNLIKELY(waiters_.kind != wait_list::nobody)) {
      const Event copy = e;  // so that the usual way does not need the event's address
      return push_to_waiter(copy);
    }
    if (BATON_UNLIKELY(tail_ - head_ == Capacity)) return status::full;
    slots_[tail_++ % Capacity] = e;
    return status::ok;
  }

  /// Puts an event behind the others; where there is no room, the oldest is dropped, and counted.
  BATON_NODISCARD status push_over_oldest(const Event& e) {
    if (!waiters_.is_closed() && size() == Capacity) {
      ++head_;
      ++dropped_;
    }
    return push(e);
  }

  /// How many `push_over_oldest` has dropped.
  uint32_t dropped() const { return dropped_; }

  /// Takes the oldest event. Never waits.
  /// Errors   empty; closed, and empty.
  BATON_NODISCARD BATON_INLINE status try_receive(Event& e) {
    this->check();
    if (BATON_LIKELY(take(e))) return status::ok;
    return waiters_.is_closed() ? status::closed : status::empty;
  }

  /// Calls `handle(event)` for what is there, oldest first, with those that it pushes, and for at most so many. How many they were.
  template <typename Handler>
  BATON_INLINE uint32_t drain(Handler&& handle, uint32_t at_most = Capacity) {
    this->check();
    uint32_t n = 0;
    for (; n != at_most && head_ != tail_; ++n) {
      const Event e = slots_[head_++ % Capacity];  // a copy: its slot may be filled again meanwhile
      handle(e);
    }
    return n;
  }

  /// For co_await and BATON_WAIT: waits until there is an event, and takes none.
  BATON_INLINE wait_operation wait() { return wait_operation(*this); }

  /// For co_await and BATON_WAIT: waits for an event and takes it.
  BATON_INLINE receive_operation receive(Event& e) { return receive_operation(*this, e); }

  /// Ends every wait with `closed`, and every later push. Idempotent.
  void close() {
    this->check();
    close_list(waiters_);
  }

  bool is_closed() const { return waiters_.is_closed(); }

 private:
  BATON_INLINE bool take(Event& e) {
    if (head_ == tail_) return false;
    e = slots_[head_++ % Capacity];
    return true;
  }

  /// Somebody waits, or never will. Each event wakes one: who waits to receive gets the oldest, who waits for one to come looks for it when
  /// it runs.
  BATON_NOINLINE status push_to_waiter(const Event& e) {
    if (waiters_.is_closed()) return status::closed;
    if (size() == Capacity) return status::full;
    slots_[tail_++ % Capacity] = e;
    waiter* w = waiters_.take_oldest();
    if (BATON_UNLIKELY(cases_may_refuse && !w)) return status::ok;
    const bool receives = w->slot && take(*static_cast<Event*>(w->slot));
    wake(w, receives ? static_cast<uint8_t>(waiter::delivered) : static_cast<uint8_t>(status::ok));
    return status::ok;
  }

  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  uint32_t dropped_ = 0;
  wait_list waiters_;
  Event slots_[Capacity];
};

template <typename Event, uint32_t Capacity>
struct event_queue<Event, Capacity>::wait_operation : list_wait {
  BATON_INLINE explicit wait_operation(event_queue& q) : list_wait{&q.waiters_, wait_list::receivers, nullptr}, queue(&q) {}

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (queue->is_empty()) return false;
    w.end(status::ok);
    return true;
  }

  event_queue* queue;
};

template <typename Event, uint32_t Capacity>
struct event_queue<Event, Capacity>::receive_operation : list_wait {
  BATON_INLINE receive_operation(event_queue& q, Event& e) : list_wait{&q.waiters_, wait_list::receivers, &e}, queue(&q) {}

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (!queue->take(*static_cast<Event*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  event_queue* queue;
};

}  // namespace async
}  // namespace baton
