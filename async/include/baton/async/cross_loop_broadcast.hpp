// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>
#include <baton/core/broadcast.hpp>
#include <baton/core/spi/temporaries.hpp>

#if __has_include(<mutex>)
namespace baton::BATON_VARIANT::async {

/// Values for any number of readers of any loops, each of which receives each value: core's
/// `broadcast`, across loops: `cross_loop_broadcast<sample, 8, slow_reader::loses_oldest>`.
///
/// Shape    a lock, the last `Slots` values of `T`, inline, and lists of the readers and of the
///          waits. The lock is held while values are copied.
/// Units    the copy of a `T` does not throw: a `std::shared_ptr<const text>` in place of a text.
/// Context  any thread may call `try_send` and `close`; coroutines of any loop may call `send`, and
///          `receive` with a reader of their own, which is a local or a member beside them. A
///          reader receives the values that are sent after `subscribe()`. A send hands the value to
///          the readers that wait, first in, first out; each coroutine goes on in its own loop, at
///          the tail of the queue there. With holds_sender the reader that makes room, on its
///          thread, stores the value of the oldest sender that waits. A wait that is cancelled or
///          times out has not happened; after the hand-over a cancel is too late. A receiver that
///          is destroyed after the hand-over and before it ran takes its copy with it, and
///          `dropped_values()` of its domain counts it. Both operations may be cases of a select
///          (cross_loop_select.hpp), and waits of a stackless coroutine with the base
///          `async::cross_loop_base`. The broadcast outlives its readers.
/// Cost     a lock per operation, and a message node per coroutine that waited. With holds_sender
///          O(readers) for a send, and for a receive while a sender waits.
/// Errors   closed: after `close()`; a send has not happened, and a reader receives what was sent
///          before first. BATON_REQUIRE cross_loop_broadcast_in_use: it is destroyed while a reader
///          is subscribed or a coroutine waits. cross_loop_receive_before_subscribe: a reader
///          receives that is not subscribed here. cross_loop_wait_without_loop: a thread without a
///          loop waits.
template <typename T, uint16_t Slots, typename SlowReader>
class cross_loop_broadcast {
  static_assert(Slots != 0, "a broadcast has at least one slot");
  static_assert(!baton::spi::value_traits<T>::copy_may_throw,
                "the copy of this value may throw, and a broadcast copies it for each reader: send a "
                "std::shared_ptr<const T>");
  static constexpr bool holds_sender = __is_same(SlowReader, slow_reader::holds_sender);

 public:
  struct send_operation;
  struct receive_operation;

  /// A place in the broadcast, of the coroutine that receives. Its destructor unsubscribes it.
  class reader {
   public:
    reader() = default;
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
      if (in_) in_->unsubscribe(*this);
    }

    /// The value that was received last.
    const T& value() const { return value_; }

    /// The values that the reader has lost directly before `value()`. 0 with holds_sender.
    uint64_t lost() const { return lost_; }

   private:
    friend class cross_loop_broadcast;

    cross_loop_broadcast* in_ = nullptr;
    reader* next_ = nullptr;
    reader** link_ = nullptr;
    uint64_t at_ = 0;  // the number of the value that it receives next
    uint64_t lost_ = 0;
    T value_ = {};
  };

  cross_loop_broadcast() = default;
  cross_loop_broadcast(const cross_loop_broadcast&) = delete;
  cross_loop_broadcast& operator=(const cross_loop_broadcast&) = delete;
  ~cross_loop_broadcast() {
    BATON_REQUIRE(cross_loop_broadcast_in_use, !first_ && !receivers_.first && !senders_.first);
  }

  /// Lets `r` receive the values that are sent from then on. A second call skips those that it has
  /// not received.
  /// Context  the thread of the reader, which is in no wait. It leaves another broadcast.
  void subscribe(reader& r) {
    if (r.in_ && r.in_ != this) r.in_->unsubscribe(r);
    const std::lock_guard<std::mutex> hold(lock_);
    r.at_ = sent_;
    if (r.in_ == this) return refill();
    r.in_ = this;
    r.next_ = first_;
    if (first_) first_->link_ = &r.next_;
    r.link_ = &first_;
    first_ = &r;
  }

  /// Takes `r` out: it holds no sender back.
  /// Context  as `subscribe`.
  void unsubscribe(reader& r) {
    const std::lock_guard<std::mutex> hold(lock_);
    if (r.in_ != this) return;
    r.in_ = nullptr;
    *r.link_ = r.next_;
    if (r.next_) r.next_->link_ = r.link_;
    refill();
  }

  /// For co_await and BATON_WAIT: sends `value`, which lives until the wait ends.
  send_operation send(const T& value) { return send_operation(*this, value); }
  send_operation send(T&& value)
    requires(baton::spi::refuses_temporary<T>)
  {
    return baton::spi::refuse_temporary<T>(), send(value);
  }

  /// For co_await and BATON_WAIT: receives the next value of `r`.
  receive_operation receive(reader& r) { return receive_operation(*this, r); }

  /// Sends without waiting.
  /// Errors   full, with holds_sender: nothing was sent. closed.
  BATON_NODISCARD status try_send(const T& value) {
    const std::lock_guard<std::mutex> hold(lock_);
    return deliver(value);
  }

  /// Receives without waiting.
  /// Errors   empty: the reader has received every value. closed: and no other will come.
  BATON_NODISCARD status try_receive(reader& r) {
    const std::lock_guard<std::mutex> hold(lock_);
    return accept(r);
  }

  /// Ends every wait with `closed`, including later ones. Idempotent.
  void close() {
    const std::lock_guard<std::mutex> hold(lock_);
    is_closed_ = true;
    detail::end_all(receivers_, status::closed);
    detail::end_all(senders_, status::closed);
  }

 private:
  status deliver(const T& value) {
    if (is_closed_) return status::closed;
    if (is_full()) return status::full;  // whoever waits in `senders_` waits because of that
    put(value);
    return status::ok;
  }

  status accept(reader& r) {
    BATON_REQUIRE(cross_loop_receive_before_subscribe, r.in_ == this);
    if (r.at_ == sent_) return is_closed_ ? status::closed : status::empty;
    fetch(r);
    refill();
    return status::ok;
  }

  /// Stores a value over the oldest, and hands it to the readers that wait: they have received
  /// every value before it.
  void put(const T& value) {
    slots_[sent_ % Slots] = value;
    ++sent_;
    while (detail::cross_loop_wait* w = receivers_.pop()) {
      detail::notify_later notify;
      fetch(*static_cast<reader*>(w->slot));
      w->hand(status::ok, notify);
    }
  }

  /// Gives a reader its next value, unless newer ones were stored over it.
  void fetch(reader& r) {
    const uint64_t behind = sent_ - r.at_;
    r.lost_ = behind > Slots ? behind - Slots : 0;
    r.at_ += r.lost_;
    r.value_ = slots_[r.at_ % Slots];
    ++r.at_;
  }

  /// True if a reader has still to receive the value over which the next one would be stored.
  bool is_full() const {
    if constexpr (holds_sender) {
      for (const reader* r = first_; r; r = r->next_) {
        if (sent_ - r->at_ >= Slots) return true;
      }
    }
    return false;
  }

  /// Lets senders that wait send while there is room. A value is copied before its sender is told:
  /// the sender goes on then.
  void refill() {
    while (senders_.first && !is_full()) {
      detail::cross_loop_wait* w = senders_.pop();
      if (!w) return;
      detail::notify_later notify;
      const T next(*static_cast<const T*>(w->slot));
      if (w->hand(status::ok, notify)) put(next);
    }
  }

  std::mutex lock_;
  bool is_closed_ = false;
  uint64_t sent_ = 0;
  reader* first_ = nullptr;
  detail::cross_loop_list receivers_;
  detail::cross_loop_list senders_;
  T slots_[Slots] = {};
};

template <typename T, uint16_t Slots, typename SlowReader>
struct [[nodiscard]] cross_loop_broadcast<T, Slots, SlowReader>::send_operation
    : detail::cross_loop_operation<send_operation> {
  send_operation(cross_loop_broadcast& b, const T& value) noexcept
      : detail::cross_loop_operation<send_operation>(b.lock_, const_cast<T*>(&value)), target(&b) {}

  bool attempt(status& s, detail::notify_later&, const detail::cross_loop_wait&) const {
    s = target->deliver(*static_cast<const T*>(this->slot));
    return s != status::full;
  }
  bool is_possible(const detail::cross_loop_claim&) const { return target->is_closed_ || !target->is_full(); }
  detail::cross_loop_list& list() const { return target->senders_; }

  cross_loop_broadcast* target;
};

template <typename T, uint16_t Slots, typename SlowReader>
struct [[nodiscard]] cross_loop_broadcast<T, Slots, SlowReader>::receive_operation
    : detail::cross_loop_operation<receive_operation> {
  receive_operation(cross_loop_broadcast& b, reader& r) noexcept
      : detail::cross_loop_operation<receive_operation>(b.lock_, &r), source(&b) {}

  static constexpr bool takes = true;

  bool attempt(status& s, detail::notify_later&, const detail::cross_loop_wait&) const {
    s = source->accept(by());
    return s != status::empty;
  }
  bool is_possible(const detail::cross_loop_claim&) const { return source->is_closed_ || by().at_ != source->sent_; }
  detail::cross_loop_list& list() const { return source->receivers_; }

  static uint8_t code_of(status s) noexcept {
    return s == status::ok ? static_cast<uint8_t>(waiter::delivered) : static_cast<uint8_t>(s);
  }
  void give_back() const noexcept { baton::spi::count_dropped_value(); }

  reader& by() const noexcept { return *static_cast<reader*>(this->slot); }

  cross_loop_broadcast* source;
};

}  // namespace baton::BATON_VARIANT::async
#endif
