// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/inbox.hpp>
#include <baton/async/loop.hpp>

namespace baton {
namespace async {

template <typename Event>
class outbox;

namespace detail {

template <typename Event>
struct sender_place;

/// As many events as cross from one thread to another at once.
template <typename Event>
struct event_chunk {
  static constexpr uint32_t capacity = 64;

  event_chunk* next;
  sender_place<Event>* from;
  uint32_t size;
  Event events[capacity];
};

/// A sender's place at an event inbox: its chunks are here, come back here, and it is rung when one does while it waits.
template <typename Event>
struct alignas(64) sender_place {
  using chunk = event_chunk<Event>;

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
      case pushed::to_resting:
        ring();
        return;
      case pushed::refused:
        if (__atomic_sub_fetch(&missing, 1, __ATOMIC_ACQ_REL) == 0) release();
    }
  }

  /// The sender waits, and is told to look again.
  void ring() noexcept {
    if (home) {
      home->post(room);
    } else {
      waker.raise();
    }
    returned.rung();
  }

  void release() noexcept { __atomic_store_n(&is_free, true, __ATOMIC_RELEASE); }

  mpsc_list<chunk> returned;
  inbox* home = nullptr;  // of the sender's loop; null: a thread without one, which sleeps as its port does
  port::waker waker;
  parcel room{nullptr, nullptr};
  int32_t missing = 0;  // chunks that are out while their sender has gone
  bool is_free = true;
};

/// What a sender knows of where it sends.
template <typename Event>
struct event_list {
  event_list(inbox& h, parcel a, sender_place<Event>* p, uint32_t n, event_chunk<Event>* c, uint32_t m)
      : home(h), arrival(a), places(p), chunks(c), senders(n), chunks_each(m) {}

  bool is_closed() const noexcept { return list.is_closed(); }

  mpsc_list<event_chunk<Event>> list;
  const address home;
  parcel arrival;
  sender_place<Event>* const places;
  event_chunk<Event>* const chunks;
  const uint32_t senders;
  const uint32_t chunks_each;
};

}  // namespace detail

/// Takes small events from other threads, in batches: each sender is an `outbox`.
///
///     while (co_await events.wait() == status::ok) {
///       events.drain([](const event& e) { handle(e); });
///       co_await async::yield();
///     }
///
/// Shape    for each of at most `Senders` at a time, `Chunks` of 64 events, inline: no heap, and that is the bound. A sender whose
///          chunks are all out waits until one has been handled. An event is copied as bytes.
/// Context  its loop's jobs. First in, first out for each sender. A wait that is cancelled or times out has taken nothing. It outlives its
///          senders.
/// Cost     two compare-and-swaps for 64 events; bench/suites/async.cpp, case cross_thread.
/// Errors   `closed` after `close()`; what a flush brought before can still be taken. BATON_REQUIRE queue_outlived_by_sender: destroyed while it has a sender.
template <typename Event, uint32_t Senders = 4, uint32_t Chunks = 16>
class event_inbox : domain_affinity, detail::event_list<Event> {
  static_assert(__is_trivially_copyable(Event), "an event is copied as bytes: send an index or a pointer instead");
  static_assert(Senders != 0 && Chunks != 0, "somebody has to send something");
  using chunk = detail::event_chunk<Event>;
  using place = detail::sender_place<Event>;
  using base = detail::event_list<Event>;

 public:
  struct wait_operation;

  /// Of a loop, which may be another thread's.
  template <typename Tick>
  explicit event_inbox(basic_loop<Tick>& l) : event_inbox(l.mail()) {}
  explicit event_inbox(inbox& i) : base(i, parcel(&arrive, this), places_, Senders, chunks_[0], Chunks) {}
  event_inbox(const event_inbox&) = delete;
  event_inbox& operator=(const event_inbox&) = delete;
  /// Closes.
  ~event_inbox() {
    shut();
    for (place& p : places_) BATON_REQUIRE(queue_outlived_by_sender, __atomic_load_n(&p.is_free, __ATOMIC_ACQUIRE) || is_left(p));
  }

  /// Calls `handle(event)` for what is there, in the order of each sender, and for at most so many. How many they were.
  /// Context  `handle` does not drain. An event whose handler throws has been handled.
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
        while (done.at != end) handle(static_cast<const Event&>(c->events[done.at++]));
      }
      if (end == c->size) next_chunk();
    }
    return n;
  }

  /// Takes the oldest event that is there. Never waits.
  /// Errors   empty; closed, and empty.
  BATON_NODISCARD status try_receive(Event& e) {
    if (drain([&](const Event& from) { e = from; }, 1) == 1) return status::ok;
    return base::is_closed() ? status::closed : status::empty;
  }

  /// For co_await and BATON_WAIT: waits until there is an event, and takes none. Each who waits is woken, and finds what is left.
  BATON_INLINE wait_operation wait() { return wait_operation(*this); }

  /// Refuses what is flushed from now on. Who waits for room is told, and who waits for an event when there is none. Idempotent.
  void close() {
    this->check();
    shut();
  }

  bool is_closed() const noexcept { return base::is_closed(); }

 private:
  friend class outbox<Event>;

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
      if (p.returned.rouse()) p.ring();
    }
  }

  void append(chunk* more) {
    chunk** last = &first_;
    while (*last) last = &(*last)->next;
    *last = more;
  }

  /// A sender has found the inbox at rest.
  static void arrive(void* p) {
    event_inbox& self = *static_cast<event_inbox*>(p);
    self.rings_ = false;
    if (self.waiters_.kind == wait_list::nobody || self.waiters_.is_closed()) return;
    if (self.first_ || self.refill() || !self.ask()) self.wake_all();
  }

  /// Each looks for itself: who was woken first may be stopped before it has.
  void wake_all() {
    while (waiters_.kind != wait_list::nobody) wake_oldest(waiters_, static_cast<uint8_t>(status::ok));
  }

  /// false: something has come meanwhile.
  bool ask() {
    if (rings_ && !this->list.is_resting()) return true;  // whoever ended that rest is about to ring
    rings_ = this->list.rest();
    return rings_;
  }

  chunk* first_ = nullptr;  // taken, and not handled
  uint32_t cursor_ = 0;     // in the first
  bool rings_ = false;      // the list was put to rest, and no ring has come since
  wait_list waiters_;
  place places_[Senders];
  chunk chunks_[Senders][Chunks];
};

template <typename Event, uint32_t Senders, uint32_t Chunks>
struct event_inbox<Event, Senders, Chunks>::wait_operation : list_wait {
  BATON_INLINE explicit wait_operation(event_inbox& b) : list_wait{&b.waiters_, wait_list::receivers, nullptr}, box(&b) {}

  BATON_INLINE bool try_now(waiter& w) const {
    box->check();
    if (!box->first_ && !box->refill()) return false;
    w.end(status::ok);
    return true;
  }

  /// What comes before it is at rest ends the wait at once.
  BATON_INLINE void suspend(waiter& w) const {
    if (!box->is_closed() && !box->ask()) return detail::end_at_once(w, status::ok);
    list_wait::suspend(w);
  }

  event_inbox* box;
};

}  // namespace async
}  // namespace baton
