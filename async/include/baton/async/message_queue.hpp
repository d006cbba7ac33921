// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton::BATON_VARIANT::async {

/// First-in-first-out queue of small messages of one domain.
///
///     while (co_await queue.wait() == status::ok) {
///       queue.drain([](const message& m) { handle(m); });
///       co_await async::yield();
///     }
///
/// Shape    `Capacity` messages, inline; a power of two. A message is copied as bytes; 16 to 64
///          bytes, with its type as a number in it, are usual.
/// Context  the domain's jobs; other threads send by a `batched_sender`. `push` wakes the oldest
///          waiter. A wait that is cancelled or times out has taken nothing. A handler may push
///          messages.
/// Cost     bench/suites/async.cpp, case event.
/// Errors   full: the message is not stored. closed: after `close()`; stored messages can still be
///          taken.
template <typename Message, uint32_t Capacity>
class message_queue : domain_affinity {
  static_assert(Capacity != 0 && (Capacity & (Capacity - 1)) == 0, "Capacity must be a power of two");
  static_assert(__is_trivially_copyable(Message), "a message is copied as bytes: send an index or a pointer instead");

 public:
  struct wait_operation;
  struct receive_operation;

  message_queue() = default;
  message_queue(const message_queue&) = delete;
  message_queue& operator=(const message_queue&) = delete;
  /// Closes.
  ~message_queue() { close_list(waiters_); }

  uint32_t size() const { return (tail_ - head_) / step; }
  bool is_empty() const { return head_ == tail_; }

  /// Puts a message behind the others. Never waits.
  BATON_NODISCARD BATON_INLINE status push(const Message& m) {
    this->check();
    if (BATON_UNLIKELY(waiters_.kind != wait_list::nobody)) {
      const Message copy = m;  // a copy, so that the usual path does not need the message's address
      return push_to_waiter(copy);
    }
    if (BATON_UNLIKELY(is_full())) return status::full;
    store(m);
    return status::ok;
  }

  /// Puts a message behind the others. If the queue is full, it drops the oldest message and counts
  /// it.
  BATON_NODISCARD status push_over_oldest(const Message& m) {
    if (!waiters_.is_closed() && is_full()) {
      head_ += step;
      ++dropped_;
    }
    return push(m);
  }

  /// The number of messages that `push_over_oldest` has dropped.
  uint32_t dropped() const { return dropped_; }

  /// Takes the oldest message. Never waits.
  /// Errors   empty. closed: the queue is closed and empty.
  BATON_NODISCARD BATON_INLINE status try_receive(Message& m) {
    this->check();
    if (BATON_LIKELY(take(m))) return status::ok;
    return waiters_.is_closed() ? status::closed : status::empty;
  }

  /// Calls `handle(message)` for the stored messages, oldest first, including those that `handle`
  /// pushes, up to `at_most`. Returns the number of calls.
  template <typename Handler>
  BATON_INLINE uint32_t drain(Handler&& handle, uint32_t at_most = Capacity) {
    this->check();
    uint32_t n = 0;
    for (; n != at_most && !is_empty(); ++n) {
      const Message m = slot_at(head_);  // a copy: the slot may be filled again meanwhile
      head_ += step;
      handle(m);
    }
    return n;
  }

  /// For co_await and BATON_WAIT: waits until there is a message, and takes none.
  BATON_INLINE wait_operation wait() { return wait_operation(*this); }

  /// For co_await and BATON_WAIT: waits for a message and takes it.
  BATON_INLINE receive_operation receive(Message& m) { return receive_operation(*this, m); }

  /// Ends every wait with `closed`; later pushes fail with `closed`. Idempotent.
  void close() {
    this->check();
    close_list(waiters_);
  }

  bool is_closed() const { return waiters_.is_closed(); }

 private:
  /// Positions count bytes where a mask of such a count leaves the place of a slot, so that no push
  /// and no drain multiplies; else they count slots. They go on past every lap, up to 2 ** 32.
  static constexpr bool counts_bytes =
      (sizeof(Message) & (sizeof(Message) - 1)) == 0 && uint64_t{Capacity} * sizeof(Message) <= uint64_t{1} << 31;
  static constexpr uint32_t step = counts_bytes ? sizeof(Message) : 1;
  static constexpr uint32_t lap = Capacity * step;

  BATON_INLINE Message& slot_at(uint32_t position) {
    const uint32_t place = position % lap;
    if (!counts_bytes) return slots_[place];
    return *reinterpret_cast<Message*>(reinterpret_cast<char*>(slots_) + place);
  }
  /// `tail_ - head_ == lap` is as true, and takes an instruction more on x86.
  BATON_INLINE bool is_full() const { return tail_ - lap == head_; }
  BATON_INLINE void store(const Message& m) {
    slot_at(tail_) = m;
    tail_ += step;
  }
  BATON_INLINE bool take(Message& m) {
    if (head_ == tail_) return false;
    m = slot_at(head_);
    head_ += step;
    return true;
  }

  /// Pushes while a job waits or the queue is closed. Each message wakes one waiter: a `receive`
  /// gets the oldest message, a `wait` looks for it when it runs.
  BATON_NOINLINE status push_to_waiter(const Message& m) {
    if (waiters_.is_closed()) return status::closed;
    if (is_full()) return status::full;
    store(m);
    waiter* w = waiters_.take_oldest();
    if (BATON_UNLIKELY(baton::spi::cases_may_refuse && !w)) return status::ok;
    const bool receives = w->slot && take(*static_cast<Message*>(w->slot));
    wake(w, receives ? static_cast<uint8_t>(waiter::delivered) : static_cast<uint8_t>(status::ok));
    return status::ok;
  }

  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  uint32_t dropped_ = 0;
  wait_list waiters_;
  Message slots_[Capacity];
};

template <typename Message, uint32_t Capacity>
struct [[nodiscard]] message_queue<Message, Capacity>::wait_operation : list_wait {
  BATON_INLINE explicit wait_operation(message_queue& q)
      : list_wait{&q.waiters_, wait_list::receivers, nullptr}, queue(&q) {}

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (queue->is_empty()) return false;
    w.end(status::ok);
    return true;
  }

  message_queue* queue;
};

template <typename Message, uint32_t Capacity>
struct [[nodiscard]] message_queue<Message, Capacity>::receive_operation : list_wait {
  BATON_INLINE receive_operation(message_queue& q, Message& m)
      : list_wait{&q.waiters_, wait_list::receivers, &m}, queue(&q) {}

  static constexpr bool takes = true;

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (!queue->take(*static_cast<Message*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  message_queue* queue;
};

}  // namespace baton::BATON_VARIANT::async
