// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>

#if __has_include(<mutex>)
namespace baton::BATON_VARIANT::async {

/// A channel between any number of senders and receivers of any number of loops.
///
/// Shape    as `channel`: `Capacity` values of `T`, inline; 0 is a rendezvous. And a lock, held while a value is copied.
/// Context  `try_send`, `try_receive` and `close` any thread; `send` and `receive` coroutines of any loop. Who waits is served first in, first out, whatever its loop,
///          and goes on in its own loop, at the tail of the queue there. A wait that is cancelled or times out has not happened; after the hand-over a cancel is too
///          late. A receiver that is destroyed after the hand-over and before it ran takes the value with it, and `dropped_values()` of its domain counts it.
///          It outlives the waits for it. A stackless coroutine waits for it by BATON_WAIT, with the base `async::cross_loop_base`; a select may wait for both: cross_loop_select.hpp.
/// Cost     a lock for each, and a message node for each who waited.
/// Errors   `closed` after `close()`: a send has not happened; a receive gives what is still stored first. BATON_REQUIRE cross_loop_wait_without_loop: a thread without a loop waits.
///          152: destroyed while somebody waits.
template <typename T, uint8_t Capacity = 0>
class cross_loop_channel : baton::detail::channel_store<T, Capacity> {
 public:
  struct send_operation;
  struct receive_operation;

  cross_loop_channel() = default;
  cross_loop_channel(const cross_loop_channel&) = delete;
  cross_loop_channel& operator=(const cross_loop_channel&) = delete;
  ~cross_loop_channel() { BATON_REQUIRE(cross_loop_channel_in_use, !receivers_.first && !senders_.first); }

  /// For co_await and BATON_WAIT: sends `value`, which lives until the wait ends.
  send_operation send(const T& value) { return send_operation(*this, value); }

  /// For co_await and BATON_WAIT: receives into `value`.
  receive_operation receive(T& value) { return receive_operation(*this, value); }

  /// Sends without waiting.
  /// Errors   full: no receiver waits and no slot is free; closed.
  BATON_NODISCARD status try_send(const T& value) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    return deliver(value, notify);
  }

  /// Receives without waiting.
  /// Errors   empty; closed, and empty.
  BATON_NODISCARD status try_receive(T& value) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    return accept(value, notify);
  }

  /// Ends every wait with `closed`, and every later one. Idempotent.
  void close() {
    const std::lock_guard<std::mutex> hold(lock_);
    is_closed_ = true;
    detail::end_all(receivers_, status::closed);
    detail::end_all(senders_, status::closed);
  }

 private:
  status deliver(const T& value, detail::notify_later& notify) {
    if (is_closed_) return status::closed;
    while (detail::cross_loop_wait* receiver = receivers_.pop()) {
      *static_cast<T*>(receiver->slot) = value;
      if (receiver->hand(status::ok, notify)) return status::ok;
    }
    return this->put(value) ? status::ok : status::full;
  }

  status accept(T& value, detail::notify_later& notify) {
    if (Capacity != 0) {
      if (!this->take(value)) return is_closed_ ? status::closed : status::empty;
      T next = T();
      if (take_from_sender(next, notify)) this->put(next);
      return status::ok;
    }
    if (take_from_sender(value, notify)) return status::ok;
    return is_closed_ ? status::closed : status::empty;
  }

  /// Copied first: when it has been told, a sender goes on, and its value may be gone.
  bool take_from_sender(T& value, detail::notify_later& notify) {
    while (detail::cross_loop_wait* sender = senders_.pop()) {
      value = *static_cast<const T*>(sender->slot);
      if (sender->hand(status::ok, notify)) return true;
    }
    return false;
  }

  /// Whether the store holds at least one value, or has room for one.
  bool has_value() const {
    if constexpr (Capacity != 0) return this->values.depth() != 0;
    return false;
  }
  bool has_room() const {
    if constexpr (Capacity != 0) return this->values.depth() != Capacity;
    return false;
  }

  std::mutex lock_;
  bool is_closed_ = false;
  detail::cross_loop_list receivers_;
  detail::cross_loop_list senders_;
};

template <typename T, uint8_t Capacity>
struct cross_loop_channel<T, Capacity>::send_operation : detail::cross_loop_operation<send_operation> {
  send_operation(cross_loop_channel& c, const T& value) noexcept
      : detail::cross_loop_operation<send_operation>(c.lock_, const_cast<T*>(&value)), target(&c) {}

  bool attempt(status& s, detail::notify_later& notify, const detail::cross_loop_wait&) {
    s = target->deliver(*static_cast<const T*>(this->slot), notify);
    return s != status::full;
  }
  bool is_possible(const detail::cross_loop_claim& own) const {
    return target->is_closed_ || target->has_room() || target->receivers_.has_others(own);
  }
  detail::cross_loop_list& list() { return target->senders_; }

  cross_loop_channel* target;
};

template <typename T, uint8_t Capacity>
struct cross_loop_channel<T, Capacity>::receive_operation : detail::cross_loop_operation<receive_operation> {
  receive_operation(cross_loop_channel& c, T& value) noexcept
      : detail::cross_loop_operation<receive_operation>(c.lock_, &value), source(&c) {}

  bool attempt(status& s, detail::notify_later& notify, const detail::cross_loop_wait&) {
    s = source->accept(*static_cast<T*>(this->slot), notify);
    return s != status::empty;
  }
  bool is_possible(const detail::cross_loop_claim& own) const {
    return source->is_closed_ || source->has_value() || source->senders_.has_others(own);
  }
  detail::cross_loop_list& list() { return source->receivers_; }

  static uint8_t code_of(status s) noexcept {
    return s == status::ok ? static_cast<uint8_t>(waiter::delivered) : static_cast<uint8_t>(s);
  }
  void give_back() const noexcept { baton::detail::count_dropped_value(); }

  cross_loop_channel* source;
};

}  // namespace baton::BATON_VARIANT::async
#endif
