// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_thread_queue.hpp>

namespace baton::BATON_VARIANT::async {

/// Sends small messages to another loop, in batches.
///
///     async::batched_sender<message> out(other_loops_queue);
///     co_await out.send(m);                                  // a coroutine
///     out.send_until(m, port::now() + 5_ms);      // without a loop: call flush() then
///
/// Shape    a place at the queue, with its chunks. A message is in a chunk until the chunk is full
///          or flushed; a loop flushes at the end of each turn.
/// Context  the thread that made it, with or without a loop. Messages of one sender keep their
///          order. A send that is cancelled or times out has not happened. Coroutines that wait to
///          send go on in the order in which they came, in their own loop.
/// Cost     a store; one compare-and-swap per 64 messages.
/// Errors   full: all chunks are in use, and the message is not sent. closed: the receiver has
///          closed the queue; `unsent()` says how many of the messages sent before it has not
///          received. BATON_REQUIRE blocking_send_in_loop: a thread with a loop would sleep in
///          `send_until`. send_without_loop: a thread without a loop waits in `send`.
template <typename Message>
class batched_sender : domain_affinity {
  using chunk = detail::message_chunk<Message>;
  using place = detail::sender_place<Message>;

 public:
  struct send_operation;

  /// Makes a sender of the loop that runs on this thread, if there is one. All places may be taken:
  /// check `is_connected()`.
  template <uint32_t Senders, uint32_t Chunks>
  explicit batched_sender(cross_thread_queue<Message, Senders, Chunks>& to) : to_(&to), flusher_(*this) {
    for (uint32_t i = 0; i != to_->senders && !place_; ++i) {
      if (to_->places[i].take()) place_ = &to_->places[i];
    }
    if (place_) settle(to_->chunks + static_cast<size_t>(place_ - to_->places) * to_->chunks_each);
  }
  batched_sender(const batched_sender&) = delete;
  batched_sender& operator=(const batched_sender&) = delete;
  /// Flushes, and ends the waits for room with `closed`.
  ~batched_sender() {
    if (!place_) return;
    flush();
    leave();
    close_list(waiters_);
  }

  /// False if the queue has its full number of senders. The sender then behaves as if the queue was
  /// closed.
  bool is_connected() const { return place_ != nullptr; }

  /// Sends without waiting.
  /// Errors   full; closed.
  BATON_NODISCARD BATON_INLINE status try_send(const Message& m) {
    this->check();
    if (BATON_UNLIKELY(at_ == end_)) {
      const status s = begin_chunk();
      if (s != status::ok) return s;
    }
    *at_++ = m;
    return status::ok;
  }

  /// For co_await and BATON_WAIT: sends `m`, and waits while all chunks are in use. `m` must live
  /// until the wait ends.
  BATON_INLINE send_operation send(const Message& m) { return send_operation(*this, m); }

  /// Sends `m`, and sleeps while all chunks are in use, at most until the tick `due`.
  /// Context  a thread without a loop.
  /// Errors   timed_out; closed.
  BATON_NODISCARD status send_until(const Message& m, tick due) {
    BATON_REQUIRE(blocking_send_in_loop, !place_ || !place_->mailbox_);
    status s = try_send(m);
    while (BATON_UNLIKELY(s == status::full)) {
      port::attention::lower();
      if (wait_for_room()) {
        if (due != never && port::now() >= due) return status::timed_out;
        detail::sleep_until_in<port>(due, 0);
      }
      s = try_send(m);
    }
    return s;
  }

  /// Makes the sent messages visible to the receiver.
  /// Errors   closed.
  status flush() {
    if (!current_) return is_closed_ ? status::closed : status::ok;
    current_->size = static_cast<uint32_t>(at_ - current_->messages);
    if (current_->size == 0) return status::ok;
    const detail::pushed became = to_->list.push(current_);
    if (became == detail::pushed::refused) {
      is_closed_ = true;
      end_ = at_;
      return status::closed;
    }
    if (became == detail::pushed::to_sleeping) {
      to_->receiver.mailbox().post(to_->arrival);
      to_->list.notified();
    }
    current_ = nullptr;
    at_ = end_ = nullptr;
    return status::ok;
  }

  /// The number of messages that were sent and have not been flushed.
  uint32_t unsent() const { return current_ ? static_cast<uint32_t>(at_ - current_->messages) : 0; }

 private:
  struct flusher : detail::at_turns_end {
    explicit flusher(batched_sender& o) : at_turns_end(&act), owner(&o) {}
    static void act(detail::at_turns_end* a) { static_cast<flusher*>(a)->owner->flush(); }
    batched_sender* owner;
  };

  /// Takes the place for this sender, with all its chunks.
  void settle(chunk* first) {
    for (uint32_t i = 0; i != to_->chunks_each; ++i) {
      first[i].from = place_;
      first[i].next = spare_;
      spare_ = &first[i];
    }
    place_->mailbox_ = detail::own_mailbox();
    place_->waker.bind();
    place_->room = message_node(&arrive_with_room, this);
    place_->returned.reopen();
  }

  /// Gives the place back. Afterwards no thread notifies this sender: a message that was posted to
  /// its loop has arrived once the mailbox has been delivered.
  void leave() {
    chunk* back = place_->returned.close();
    if (place_->mailbox_) place_->mailbox_->deliver();
    int32_t out = static_cast<int32_t>(to_->chunks_each) - (current_ ? 1 : 0);
    for (; spare_; spare_ = spare_->next) --out;
    for (; back; back = back->next) --out;
    place_->leave(out);
    place_ = nullptr;
  }

  BATON_NOINLINE status begin_chunk() {
    if (!place_ || is_closed_) return status::closed;
    if (flush() != status::ok) return status::closed;
    if (to_->is_closed()) {
      is_closed_ = true;
      return status::closed;
    }
    if (!spare_) spare_ = place_->returned.take_all();
    if (!spare_) return status::full;
    current_ = spare_;
    spare_ = spare_->next;
    at_ = current_->messages;
    end_ = at_ + chunk::capacity;
    if (place_->mailbox_) flusher_.link();
    return status::ok;
  }

  /// Asks to be notified when there is room. false: there is room.
  bool wait_for_room() {
    place& p = *place_;
    if (awaits_notify_ && p.mailbox_ && !p.returned.is_asleep())
      return true;  // the thread that ended that sleep is about to post
    awaits_notify_ = p.returned.prepare_to_sleep();
    if (awaits_notify_ && to_->is_closed() && p.returned.finish_sleep()) awaits_notify_ = false;
    return awaits_notify_;
  }

  static void arrive_with_room(void* o) {
    batched_sender& self = *static_cast<batched_sender*>(o);
    self.awaits_notify_ = false;
    while (self.waiters_.kind != wait_list::nobody && !self.waiters_.is_closed()) {
      if (!self.serve_oldest() && self.wait_for_room()) return;
    }
  }

  /// Serves the oldest waiter. false: there is no room for its message. The room is found first: a
  /// waiter that is taken out of the list is served.
  bool serve_oldest() {
    const status room = at_ == end_ ? begin_chunk() : status::ok;
    if (room == status::full) return false;
    waiter* const w = waiters_.take_oldest();
    if (baton::spi::cases_may_refuse && !w) return true;
    if (room == status::ok) *at_++ = *static_cast<const Message*>(w->slot);
    wake(w, static_cast<uint8_t>(room));
    return true;
  }

  Message* at_ = nullptr;
  Message* end_ = nullptr;
  chunk* current_ = nullptr;
  chunk* spare_ = nullptr;
  detail::queue_base<Message>* const to_;
  place* place_ = nullptr;
  bool awaits_notify_ = false;  // this sender prepared to sleep, and no notification has come since
  bool is_closed_ = false;
  wait_list waiters_;
  flusher flusher_;
};

template <typename Message>
struct [[nodiscard]] batched_sender<Message>::send_operation : list_wait {
  BATON_INLINE send_operation(batched_sender& o, const Message& m)
      : list_wait{&o.waiters_, wait_list::senders, const_cast<Message*>(&m)}, sender(&o) {}

  BATON_INLINE bool try_now(waiter& w) const {
    if (BATON_UNLIKELY(sender->waiters_.kind != wait_list::nobody)) return false;  // earlier waiters come first
    const status s = sender->try_send(*static_cast<const Message*>(slot));
    if (BATON_UNLIKELY(s == status::full)) return false;
    w.end(s);
    return true;
  }

  /// Waits for room. Room that comes before the sender sleeps ends the wait at once.
  BATON_INLINE void suspend(waiter& w) const {
    BATON_REQUIRE(send_without_loop, sender->place_->mailbox_);
    while (sender->waiters_.kind == wait_list::nobody && !sender->wait_for_room()) {
      const status s = sender->try_send(*static_cast<const Message*>(slot));
      if (s != status::full) return detail::end_at_once(w, s);
    }
    list_wait::suspend(w);
  }

  batched_sender* sender;
};

}  // namespace baton::BATON_VARIANT::async
