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

/// The messages that cross from one thread to another at once.
template <typename Message>
struct message_chunk {
  static constexpr uint32_t capacity = 64;

  message_chunk* next;
  sender_place<Message>* from;
  uint32_t size;
  Message messages[capacity];
};

/// A sender's place at a cross-thread queue: its chunks are here, come back here, and the sender is notified when one does while it waits.
template <typename Message>
struct alignas(64) sender_place {
  using chunk = message_chunk<Message>;

  /// For a sender. false: another has it.
  bool take() noexcept {
    bool was_free = true;
    return __atomic_compare_exchange_n(&is_free, &was_free, false, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  }

  /// The sender goes, and so many chunks are out. Who brings the last one back frees the place.
  void leave(int32_t out) noexcept {
    if (__atomic_add_fetch(&missing, out, __ATOMIC_ACQ_REL) == 0) release();
  }

  /// By the receiver.
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

  /// The sender waits, and is told to look again.
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
  mailbox* mailbox_ = nullptr;  // of the sender's loop; null: a thread without one, which sleeps as its port does
  port::waker waker;
  message_node room{nullptr, nullptr};
  int32_t missing = 0;  // chunks that are out while their sender has gone
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

/// Takes small messages from other threads, in batches: each sender is a `batched_sender`.
///
///     while (co_await messages.wait() == status::ok) {
///       messages.drain([](const message& m) { handle(m); });
///       co_await async::yield();
///     }
///
/// Shape    for each of at most `Senders` at a time, `Chunks` of 64 messages, inline: no heap, and that is the bound. A sender whose
///          chunks are all out waits until one has been handled. A message is copied as bytes.
/// Context  its loop's jobs. First in, first out for each sender. A wait that is cancelled or times out has taken nothing. It outlives its
///          senders.
/// Cost     two compare-and-swaps for 64 messages; bench/suites/async.cpp, case cross_thread.
/// Errors   `closed` after `close()`; what a flush brought before can still be taken. BATON_REQUIRE queue_outlived_by_sender: destroyed while it has a sender.
template <typename Message, uint32_t Senders = 4, uint32_t Chunks = 16>
class cross_thread_queue : domain_affinity, detail::queue_base<Message> {
  static_assert(__is_trivially_copyable(Message), "a message is copied as bytes: send an index or a pointer instead");
  static_assert(Senders != 0 && Chunks != 0, "somebody has to send something");
  using chunk = detail::message_chunk<Message>;
  using place = detail::sender_place<Message>;
  using base = detail::queue_base<Message>;

 public:
  struct wait_operation;

  /// Of a loop, which may be another thread's.
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

  /// Calls `handle(message)` for what is there, in the order of each sender, and for at most so many. How many they were.
  /// Context  `handle` does not drain. A message whose handler throws has been handled.
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

  /// Takes the oldest message that is there. Never waits.
  /// Errors   empty; closed, and empty.
  BATON_NODISCARD status try_receive(Message& m) {
    if (drain([&](const Message& from) { m = from; }, 1) == 1) return status::ok;
    return base::is_closed() ? status::closed : status::empty;
  }

  /// For co_await and BATON_WAIT: waits until there is a message, and takes none. Each who waits is woken, and finds what is left.
  BATON_INLINE wait_operation wait() { return wait_operation(*this); }

  /// Refuses what is flushed from now on. Who waits for room is told, and who waits for a message when there is none. Idempotent.
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

  /// Where the handling of a chunk stands, also when a handler throws.
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

  /// What was pushed before has been taken; whoever waits is told.
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

  /// A sender has found the receiver asleep.
  static void arrive(void* p) {
    cross_thread_queue& self = *static_cast<cross_thread_queue*>(p);
    self.awaits_notify_ = false;
    if (self.waiters_.kind == wait_list::nobody || self.waiters_.is_closed()) return;
    if (self.first_ || self.refill() || !self.ask()) self.wake_all();
  }

  /// Each looks for itself: who was woken first may be stopped before it has.
  void wake_all() {
    while (waiters_.kind != wait_list::nobody) wake_oldest(waiters_, static_cast<uint8_t>(status::ok));
  }

  /// false: something has come meanwhile.
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
struct cross_thread_queue<Message, Senders, Chunks>::wait_operation : list_wait {
  BATON_INLINE explicit wait_operation(cross_thread_queue& b)
      : list_wait{&b.waiters_, wait_list::receivers, nullptr}, queue(&b) {}

  BATON_INLINE bool try_now(waiter& w) const {
    queue->check();
    if (!queue->first_ && !queue->refill()) return false;
    w.end(status::ok);
    return true;
  }

  /// What comes before the receiver sleeps ends the wait at once.
  BATON_INLINE void suspend(waiter& w) const {
    if (!queue->is_closed() && !queue->ask()) return detail::end_at_once(w, status::ok);
    list_wait::suspend(w);
  }

  cross_thread_queue* queue;
};

}  // namespace baton::BATON_VARIANT::async
