// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>
#include <baton/async/values.hpp>
#include <baton/core/spi/temporaries.hpp>

#if __has_include(<mutex>)
namespace baton::BATON_VARIANT::async {

/// A channel between any number of senders and receivers of any number of loops.
///
/// Shape    as `channel`: `Capacity` values of `T`, inline; with 0 a rendezvous. A lock is held
///          while a value is copied.
/// Context  any thread may call `try_send`, `try_receive` and `close`; coroutines of any loop may
///          call `send` and `receive`. Waiters are served first in, first out across loops. A
///          coroutine goes on in its own loop, at the tail of the queue there. A wait that is
///          cancelled or times out has not happened; after the hand-over a cancel is too late. A
///          receiver that is destroyed after the hand-over and before it ran loses the value, and
///          `dropped_values()` of its domain counts it. The channel outlives the waits for it. A
///          stackless coroutine waits by BATON_WAIT, with the base `async::cross_loop_base`. A
///          select may wait for both operations: cross_loop_select.hpp.
/// Cost     a lock per operation, and a message node per coroutine that waited.
/// Errors   closed: after `close()`; a send has not happened, and a receive returns stored values
///          first. If a copy of a value throws, the side that hands over gets the exception, and
///          nothing has happened. A send of a value whose copy may throw cannot be a case of a
///          select across loops. BATON_REQUIRE cross_loop_wait_without_loop: a thread without a
///          loop waits. cross_loop_channel_in_use: the channel is destroyed while a coroutine
///          waits.
template <typename T, uint16_t Capacity = 0>
class cross_loop_channel : baton::spi::channel_store<T, Capacity> {
  using traits = baton::spi::channel_value<T>;
  using sent = baton::spi::sent<T>;

 public:
  struct send_operation;
  struct receive_operation;

  cross_loop_channel() = default;
  cross_loop_channel(const cross_loop_channel&) = delete;
  cross_loop_channel& operator=(const cross_loop_channel&) = delete;
  ~cross_loop_channel() { BATON_REQUIRE(cross_loop_channel_in_use, !receivers_.first && !senders_.first); }

  /// For co_await and BATON_WAIT: sends `value`, which lives until the wait ends.
  send_operation send(sent value) { return send_operation(*this, value); }
  send_operation send(T&& value)
    requires(baton::spi::refuses_temporary<T>)
  {
    return baton::spi::refuse_temporary<T>(), send(value);
  }

  /// For co_await and BATON_WAIT: receives into `value`.
  receive_operation receive(T& value) { return receive_operation(*this, value); }

  /// Sends without waiting.
  /// Errors   full: no receiver waits and no slot is free; closed.
  BATON_NODISCARD status try_send(sent value) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    return deliver(static_cast<sent>(value), notify);
  }

  /// Receives without waiting.
  /// Errors   empty. closed: the channel is closed and empty.
  BATON_NODISCARD status try_receive(T& value) {
    detail::notify_later notify;
    const std::lock_guard<std::mutex> hold(lock_);
    return accept(value, notify);
  }

  /// Ends every wait with `closed`, including later ones. Idempotent.
  void close() {
    const std::lock_guard<std::mutex> hold(lock_);
    is_closed_ = true;
    detail::end_all(receivers_, status::closed);
    detail::end_all(senders_, status::closed);
  }

 private:
  status deliver(sent value, detail::notify_later& notify) {
    if (is_closed_) return status::closed;
    if constexpr (traits::copy_may_throw) {
      if (receivers_.first) {
        T copy(value);  // before a receiver leaves the list, and a select is claimed
        if (give_to_receiver(detail::move(copy), notify)) return status::ok;
      }
    } else if (give_to_receiver(static_cast<sent>(value), notify)) {
      return status::ok;
    }
    return this->put(static_cast<sent>(value)) ? status::ok : status::full;
  }

  template <typename From>
  bool give_to_receiver(From&& value, detail::notify_later& notify) {
    while (detail::cross_loop_wait* receiver = receivers_.pop()) {
      T& to = *static_cast<T*>(receiver->slot);
      to = static_cast<From&&>(value);
      if (receiver->hand(status::ok, notify)) return true;
      if constexpr (requires { value = detail::move(to); }) value = detail::move(to);  // for the next one
    }
    return false;
  }

  status accept(T& value, detail::notify_later& notify) {
    if constexpr (Capacity != 0) {
      if (this->is_empty()) return is_closed_ ? status::closed : status::empty;
      const auto store_next = [&](T& next) noexcept {
        this->take(value);
        this->put(detail::move(next));
      };
      if (!take_from_sender(store_next, notify)) this->take(value);
      return status::ok;
    } else {
      const auto take = [&](T& next) noexcept { value = detail::move(next); };
      if (take_from_sender(take, notify)) return status::ok;
      return is_closed_ ? status::closed : status::empty;
    }
  }

  /// Takes the value of the oldest sender, and uses it. The value is copied before the sender is
  /// told: afterwards the sender goes on, and its value may be gone. A copy that may throw is made
  /// before the sender leaves the list; no select waits with such a value.
  template <typename Use>
  bool take_from_sender(Use use, detail::notify_later& notify) {
    while (detail::cross_loop_wait* sender = traits::copy_may_throw ? senders_.first : senders_.pop()) {
      void* const from = sender->slot;
      T next(baton::spi::sent_from<T>(from));
      if constexpr (traits::copy_may_throw) senders_.remove(*sender);
      if (sender->hand(status::ok, notify)) return use(next), true;
      if constexpr (!traits::is_copied) *static_cast<T*>(from) = detail::move(next);
    }
    return false;
  }

  std::mutex lock_;
  bool is_closed_ = false;
  detail::cross_loop_list receivers_;
  detail::cross_loop_list senders_;
};

template <typename T, uint16_t Capacity>
struct [[nodiscard]] cross_loop_channel<T, Capacity>::send_operation : detail::cross_loop_operation<send_operation> {
  send_operation(cross_loop_channel& c, const T& value) noexcept
      : detail::cross_loop_operation<send_operation>(c.lock_, const_cast<T*>(&value)), target(&c) {}

  static constexpr bool may_throw = traits::copy_may_throw;
  static constexpr bool other_side_may_throw = traits::copy_may_throw;

  bool attempt(status& s, detail::notify_later& notify, const detail::cross_loop_wait&) {
    s = target->deliver(baton::spi::sent_from<T>(this->slot), notify);
    return s != status::full;
  }
  bool is_possible(const detail::cross_loop_claim& own) const {
    return target->is_closed_ || !target->is_full() || target->receivers_.has_others(own);
  }
  detail::cross_loop_list& list() { return target->senders_; }

  cross_loop_channel* target;
};

template <typename T, uint16_t Capacity>
struct [[nodiscard]] cross_loop_channel<T, Capacity>::receive_operation
    : detail::cross_loop_operation<receive_operation> {
  static constexpr bool takes = true;

  receive_operation(cross_loop_channel& c, T& value) noexcept
      : detail::cross_loop_operation<receive_operation>(c.lock_, &value), source(&c) {}

  static constexpr bool may_throw = traits::copy_may_throw;

  bool attempt(status& s, detail::notify_later& notify, const detail::cross_loop_wait&) {
    s = source->accept(*static_cast<T*>(this->slot), notify);
    return s != status::empty;
  }
  bool is_possible(const detail::cross_loop_claim& own) const {
    return source->is_closed_ || !source->is_empty() || source->senders_.has_others(own);
  }
  detail::cross_loop_list& list() { return source->receivers_; }

  static uint8_t code_of(status s) noexcept {
    return s == status::ok ? static_cast<uint8_t>(waiter::delivered) : static_cast<uint8_t>(s);
  }
  void give_back() const noexcept { baton::spi::count_dropped_value(); }

  cross_loop_channel* source;
};

namespace detail {

template <typename T, uint16_t Capacity>
struct [[nodiscard]] cross_loop_receive_value : room_for<T>, cross_loop_channel<T, Capacity>::receive_operation {
  using operation = typename cross_loop_channel<T, Capacity>::receive_operation;
  explicit cross_loop_receive_value(cross_loop_channel<T, Capacity>& c) : operation(c, this->place()) {}
  // It is copied before it waits: there is no value.
  cross_loop_receive_value(const cross_loop_receive_value& o) : cross_loop_receive_value(*o.source) {}

  result<T> outcome(status s) {
    if (s != status::ok) return s;
    return detail::move(this->value);
  }
};

}  // namespace detail

/// For co_await: a value of a channel, as `result<T>`. `T` has a default constructor, or is
/// trivially copyable.
template <typename T, uint16_t Capacity>
  requires(!detail::room_for<T>::is_landing)
detail::cross_loop_receive_value<T, Capacity> receive(cross_loop_channel<T, Capacity>& c) {
  return detail::cross_loop_receive_value<T, Capacity>(c);
}

}  // namespace baton::BATON_VARIANT::async
#endif
