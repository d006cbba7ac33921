// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>
#include <baton/async/mailbox.hpp>

namespace baton::BATON_VARIANT::async {

template <typename Message>
class batched_sender;

namespace detail {

template <typename Message>
struct sender_place;

/// A batch of messages, which cross from one thread to another together.
template <typename Message>
struct message_chunk {
  static constexpr uint32_t capacity = 64;

  message_chunk* next;
  sender_place<Message>* from;
  uint32_t size;
  Message messages[capacity];
};

/// A sender's place at a cross-thread queue. It owns its chunks, which return here; a sender that
/// waits is notified when one returns.
template <typename Message>
struct alignas(64) sender_place {
  using chunk = message_chunk<Message>;

  /// Takes the place for a sender. false: another sender has it.
  bool take() noexcept {
    bool was_free = true;
    return __atomic_compare_exchange_n(&is_free, &was_free, false, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  }

  /// Leaves the place while `out` chunks are out. The thread that returns the last of them frees
  /// the place.
  void leave(int32_t out) noexcept {
    if (__atomic_add_fetch(&missing, out, __ATOMIC_ACQ_REL) == 0) release();
  }

  /// Called by the receiver: returns a chunk.
  void give_back(chunk* c) noexcept {
    switch (returned.push(c)) {
      case pushed::behind:
        return;
      case pushed::to_sleeping:
        notify();
        return;
      case pushed::refused:
        if (__atomic_sub_fetch(&missing, 1, __ATOMIC_ACQ_REL) == 0) release();
    }
  }

  /// Tells the sender, which waits, to look again.
  void notify() noexcept {
    if (mailbox_) {
      mailbox_->post(room);
    } else {
      waker.raise();
    }
    returned.notified();
  }

  void release() noexcept { __atomic_store_n(&is_free, true, __ATOMIC_RELEASE); }

  mpsc_list<chunk> returned;
  mailbox* mailbox_ = nullptr;  // of the sender's loop; null: a thread without a loop, which sleeps by its port
  port::waker waker;
  message_node room{nullptr, nullptr};
  int32_t missing = 0;  // chunks that are out after their sender has left
  bool is_free = true;
};

/// The part of a queue that its senders know.
template <typename Message>
struct queue_base {
  queue_base(mailbox& h, message_node a, sender_place<Message>* p, uint32_t n, message_chunk<Message>* c, uint32_t each)
      : receiver(h), arrival(a), places(p), chunks(c), senders(n), chunks_each(each) {}

  bool is_closed() const noexcept { return list.is_closed(); }

  mpsc_list<message_chunk<Message>> list;
  const loop_handle receiver;
  message_node arrival;
  sender_place<Message>* const places;
  message_chunk<Message>* const chunks;
  const uint32_t senders;
  const uint32_t chunks_each;
};

}  // namespace detail

/// Receives small messages from other threads, in batches. Each sender is a `batched_sender`.
///
///     while (co_await messages.wait() == status::ok) {
///       messages.drain([](const message& m) { handle(m); });
///       co_await async::yield();
///     }
///
/// Shape    at most `Senders` senders at a time, and for each of them `Chunks` chunks of 64
///          messages, inline: this is the bound, and there is no heap. A sender whose chunks are
///          all in use waits until one has been handled. A message is copied as bytes.
/// Context  jobs of the queue's loop. Messages come first in, first out per sender. A wait that is
///          cancelled or times out has taken nothing. The queue outlives its senders.
/// Cost     two compare-and-swaps per 64 messages; bench/suites/async.cpp, case cross_thread.
/// Errors   closed: after `close()`; messages that were flushed before can still be taken.
///          BATON_REQUIRE queue_outlived_by_sender: it is destroyed while it has a sender.
template <typename Message, uint32_t Senders = 4, uint32_t Chunks = 16>
class cross_thread_queue : domain_affinity, detail::queue_base<Message> {
  static_assert(__is_trivially_copyable(Message), "a message is copied as bytes: send an index or a pointer instead");
  static_assert(Senders != 0 && Chunks != 0, "Senders and Chunks must be at least 1");
  using chunk = detail::message_chunk<Message>;
  using place = detail::sender_place<Message>;
  using base = detail::queue_base<Message>;

 public:
  struct wait_operation;

  /// Makes the queue of a loop, which may run on another thread.
  template <typename Tick>
  explicit cross_thread_queue(basic_loop<Tick>& l) : cross_thread_queue(l.mailbox()) {}
  explicit cross_thread_queue(mailbox& i)
      : base(i, message_node(&arrive, this), places_, Senders, chunks_[0], Chunks) {}
  cross_thread_queue(const cross_thread_queue&) = delete;
  cross_thread_queue& operator=(const cross_thread_queue&) = delete;
  /// Closes.
  ~cross_thread_queue() {
    shut();
    for (place& p : places_)
      BATON_REQUIRE(queue_outlived_by_sender, __atomic_load_n(&p.is_free, __ATOMIC_ACQUIRE) || is_left(p));
  }

  /// Calls `handle(message)` for the messages that have come, in the order of each sender, up to
  /// `at_most`. Returns the number of calls.
  /// Context  `handle` does not drain. A message whose handler throws counts as handled.
  template <typename Handler>
  BATON_INLINE uint32_t drain(Handler&& handle, uint32_t at_most = 16 * chunk::capacity) {
    this->check();
    uint32_t n = 0;
    while (n != at_most && (first_ || refill())) {
      chunk* c = first_;
      const uint32_t left = at_most - n;
      const uint32_t end = c->size - cursor_ < left ? c->size : cursor_ + left;
      n += end - cursor_;
      {
        progress done{cursor_, &cursor_};
        while (done.at != end) handle(static_cast<const Message&>(c->messages[done.at++]));
      }
      if (end == c->size) next_chunk();
    }
    return n;
  }

  /// Takes the oldest message that has come. Never waits.
  /// Errors   empty. closed: the queue is closed and empty.
  BATON_NODISCARD status try_receive(Message& m) {
    if (drain([&](const Message& from) { m = from; }, 1) == 1) return status::ok;
    return base::is_closed() ? status::closed : status::empty;
  }

  /// For co_await and BATON_WAIT: waits until there is a message, and takes none. All waiters are
  /// woken, and each finds the messages that are left.
  BATON_INLINE wait_operation wait() { return wait_operation(*this); }

  /// Refuses later flushes. Ends the waits for room, and the waits for a message if there is none.
  /// Idempotent.
  void close() {
    this->check();
    shut();
  }

  bool is_closed() const noexcept { return base::is_closed(); }

 private:
  friend class batched_sender<Message>;

  static bool is_left(const place& p) { return p.returned.is_closed(); }

  bool refill() {
    first_ = this->list.take_all();
    return first_ != nullptr;
  }

  /// Stores the position in a chunk, also if a handler throws.
  struct progress {
    progress(uint32_t from, uint32_t* cursor) : at(from), to(cursor) {}
    progress(const progress&) = delete;
    ~progress() { *to = at; }
    uint32_t at;
    uint32_t* to;
  };

  void next_chunk() {
    chunk* c = first_;
    cursor_ = 0;
    first_ = c->next;
    c->from->give_back(c);
  }

  /// Closes the list, takes the messages that were pushed before, and wakes the waiters.
  void shut() {
    if (base::is_closed()) return;
    append(this->list.close());
    if (first_) wake_all();
    close_list(waiters_);
    for (place& p : places_) {
      if (p.returned.interrupt_sleep()) p.notify();
    }
  }

  void append(chunk* more) {
    chunk** last = &first_;
    while (*last) last = &(*last)->next;
    *last = more;
  }

  /// Called by a sender's message, which found the receiver asleep.
  static void arrive(void* p) {
    cross_thread_queue& self = *static_cast<cross_thread_queue*>(p);
    self.awaits_notify_ = false;
    if (self.waiters_.kind == wait_list::nobody || self.waiters_.is_closed()) return;
    if (self.first_ || self.refill() || !self.ask()) self.wake_all();
  }

  /// Wakes every waiter, since the first one may be stopped before it has looked for a message.
  void wake_all() {
    while (waiters_.kind != wait_list::nobody) wake_oldest(waiters_, static_cast<uint8_t>(status::ok));
  }

  /// Asks to be notified of the next message. false: one has come meanwhile.
  bool ask() {
    if (awaits_notify_ && !this->list.is_asleep()) return true;  // the thread that ended that sleep is about to notify
    awaits_notify_ = this->list.prepare_to_sleep();
    return awaits_notify_;
  }

  chunk* first_ = nullptr;      // taken, and not handled
  uint32_t cursor_ = 0;         // in the first
  bool awaits_notify_ = false;  // the receiver prepared to sleep, and no notification has come since
  wait_list waiters_;
  place places_[Senders];
  chunk chunks_[Senders][Chunks];
};

template <typename Message, uint32_t Senders, uint32_t Chunks>
struct [[nodiscard]] cross_thread_queue<Message, Senders, Chunks>::wait_operation : list_wait {
  BATON_INLINE explicit wait_operation(cross_thread_queue& b)
      : list_wait{&b.waiters_, wait_list::receivers, nullptr}, queue(&b) {}

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (!queue->first_ && !queue->refill()) return false;
    w.end(status::ok);
    return true;
  }

  /// Waits. A message that comes before the receiver sleeps ends the wait at once.
  BATON_INLINE void suspend(waiter& w) const {
    if (!queue->is_closed() && !queue->ask()) return detail::end_at_once(w, status::ok);
    list_wait::suspend(w);
  }

  cross_thread_queue* queue;
};

}  // namespace baton::BATON_VARIANT::async
