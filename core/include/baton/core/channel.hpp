// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/byte_channel.hpp>
#include <baton/core/spi/channel_store.hpp>
#include <baton/core/spi/temporaries.hpp>
#include <baton/core/wait.hpp>

namespace baton {

namespace detail {

/// True if a channel of `T` with slots is a `byte_channel`: where flash is counted in kilobytes.
template <typename T, uint16_t Capacity>
constexpr bool is_byte_channel() {
  return Capacity != 0 && Capacity <= 128 && spi::is_power_of_two(Capacity) && sizeof(void*) == 2 && sizeof(T) < 256 &&
         spi::value_traits<T>::is_copied && __is_trivially_copyable(T);
}

}  // namespace detail

/// Typed first-in-first-out channel between any number of senders and receivers of one domain.
///
/// Shape    `Capacity` values of `T`, inline, up to 65,535; 0 is a rendezvous: the sender's value
///          goes straight into the receiver's variable. No heap. 3 bytes on AVR, two cursors and
///          the values; a cursor is a byte up to 128 values. A power of two takes the fewest
///          instructions. A value that can be copied is copied; any other value is moved, and is
///          sent by an rvalue: `c.send(std::move(v))`. A stored value is moved out. A type needs no
///          default constructor.
/// Context  the domain's jobs. Senders and receivers are each served in the order of their coming.
///          The side that finds the other one waiting does the hand-over: it copies the value, puts
///          the other job at the tail of the ready queue and goes on running. A wait that is
///          cancelled or times out has not happened: its value was not sent, or none was received.
///          After the hand-over a cancel is too late. A receiver that is destroyed or restarted
///          after the hand-over and before it ran takes the value with it, and `dropped_values()`
///          counts it. The variable that is sent from or received into must live until the wait
///          ends: make it a member.
/// Cost     bench/suites/channel.cpp.
/// Errors   `closed` after `close()`: a send has not happened; a receive gives the stored values
///          first. If a copy of a value throws, the side that hands over gets the exception, and
///          nothing has happened: no value is lost, and the other side waits on. A type whose move
///          may throw does not compile.
template <typename T, uint16_t Capacity = 0, bool Bytes = detail::is_byte_channel<T, Capacity>()>
class channel : domain_affinity, spi::channel_store<T, Capacity> {
  using traits = spi::channel_value<T>;
  using sent = spi::sent<T>;

 public:
  struct send_operation;
  template <typename To>
  struct operation_of_receive;
  using receive_operation = operation_of_receive<T>;

  constexpr channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  /// As `close()`.
  ~channel() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(waiters_);
  }

  /// For BATON_WAIT and its forms: sends `value`, waiting while no receiver waits and no slot is
  /// free.
  BATON_NODISCARD BATON_INLINE send_operation send(sent value) { return send_operation(*this, value); }
#if BATON_DESTROYS_TEMPORARIES_TWICE
  send_operation send(T&& value)
    requires(spi::refuses_temporary<T>)
  {
    return spi::refuse_temporary<T>(), send(value);
  }
#endif

  /// For BATON_WAIT and its forms: receives into `value`, waiting while there is none.
  BATON_NODISCARD BATON_INLINE receive_operation receive(T& value) { return receive_operation(*this, value); }
  /// As `receive`, into room that holds no value.
  BATON_NODISCARD BATON_INLINE operation_of_receive<spi::landing<T>> receive(spi::landing<T>& to) {
    return operation_of_receive<spi::landing<T>>(*this, to);
  }

  /// Sends without waiting.
  /// Errors   full: no receiver waits and no slot is free; closed. A value that is moved is left as
  ///          it was then.
  BATON_NODISCARD status try_send(sent value) {
    this->check();
    if (deliver(static_cast<sent>(value), false)) return status::ok;
    return waiters_.is_closed() ? status::closed : status::full;
  }

  /// Receives without waiting.
  /// Errors   empty: nothing is stored and no sender waits; closed.
  BATON_NODISCARD status try_receive(T& value) {
    this->check();
    if (accept(value, false)) return status::ok;
    return waiters_.is_closed() ? status::closed : status::empty;
  }

  /// Ends every wait with `closed`, and every later one. Stored values can still be received.
  /// Idempotent.
  void close() {
    this->check();
    close_list(waiters_);
  }

  bool is_closed() const { return waiters_.is_closed(); }

 private:
  template <typename Primitive, uint8_t Who>
  friend struct list_wait_of;

  /// `by_head` as in `wake`.
  BATON_INLINE bool deliver(sent value, bool by_head) {
    if (traits::copy_may_throw) {
      if (waiters_.holds(wait_list::receivers)) {
        T copy(static_cast<sent>(value));  // before the receiver leaves the list, and a select is claimed
        if (waiter* receiver = waiters_.take(wait_list::receivers)) {
          hand(receiver, static_cast<T&&>(copy), by_head);
          return true;
        }
      }
    } else if (waiter* receiver = waiters_.take(wait_list::receivers)) {
      hand(receiver, static_cast<sent>(value), by_head);
      return true;
    }
    return Capacity != 0 && !waiters_.is_closed() && this->put(static_cast<sent>(value));
  }

  template <typename From>
  static BATON_INLINE void hand(waiter* receiver, From&& value, bool by_head) {
    if (!traits::has_default_constructor && receiver->at == spi::landing_mark) {
      *static_cast<spi::landing<T>*>(receiver->slot) = static_cast<From&&>(value);
    } else {
      *static_cast<T*>(receiver->slot) = static_cast<From&&>(value);
    }
    wake(receiver, waiter::delivered, by_head);
  }

  template <typename To>
  BATON_INLINE bool accept(To& value, bool by_head) {
    if (traits::copy_may_throw && waiters_.holds(wait_list::senders)) return accept_copy(value, by_head);
    if (Capacity != 0) {
      if (!this->take(value)) return false;
      if (waiter* sender = waiters_.take(wait_list::senders)) {
        this->put(spi::sent_from<T>(sender->slot));
        wake(sender, static_cast<uint8_t>(status::ok), by_head);
      }
      return true;
    }
    waiter* sender = waiters_.take(wait_list::senders);
    if (!sender) return false;
    value = spi::sent_from<T>(sender->slot);
    wake(sender, static_cast<uint8_t>(status::ok), by_head);
    return true;
  }

  /// Receives while a sender waits whose value may throw when it is copied: it is copied first. No
  /// case that may refuse waits with such a value.
  template <typename To>
  bool accept_copy(To& value, bool by_head) {
    T copy(spi::sent_from<T>(waiters_.oldest()->slot));
    if (Capacity != 0) {
      this->take(value);
      this->put(static_cast<T&&>(copy));
    } else {
      value = static_cast<T&&>(copy);
    }
    wake(waiters_.take_oldest(), static_cast<uint8_t>(status::ok), by_head);
    return true;
  }

  wait_list waiters_;
};

template <typename T, uint16_t Capacity, bool Bytes>
struct BATON_NODISCARD_TYPE channel<T, Capacity, Bytes>::send_operation : list_wait_of<channel, wait_list::senders> {
  using base = list_wait_of<channel, wait_list::senders>;
  BATON_INLINE send_operation(channel& c, const T& value) : base{&c, const_cast<T*>(&value)} {}

  /// True if `try_now` may throw; if the other side copies the value, and its copy may throw.
  static constexpr bool may_throw = traits::copy_may_throw;
  static constexpr bool other_side_may_throw = traits::copy_may_throw;

  template <typename Waiter>
  BATON_INLINE bool try_now(Waiter& w) const {
    this->of->check();
    if (!this->of->deliver(spi::sent_from<T>(this->slot), Waiter::is_head_unless_stray)) return false;
    w.end_at_once();
    return true;
  }
};

/// Shape    `To`: `T`, or a `landing` for one.
template <typename T, uint16_t Capacity, bool Bytes>
template <typename To>
struct BATON_NODISCARD_TYPE channel<T, Capacity, Bytes>::operation_of_receive
    : list_wait_of<channel, wait_list::receivers> {
  using base = list_wait_of<channel, wait_list::receivers>;
  BATON_INLINE operation_of_receive(channel& c, To& value) : base{&c, &value} {}

  static constexpr bool takes = true;

  static constexpr bool may_throw = traits::copy_may_throw;

  template <typename Waiter>
  BATON_INLINE bool try_now(Waiter& w) const {
    this->of->check();
    if (!this->of->accept(*static_cast<To*>(this->slot), Waiter::is_head_unless_stray)) return false;
    w.end_at_once();
    return true;
  }
};

template <typename T, uint16_t Capacity>
class channel<T, Capacity, true> : domain_affinity {
  static constexpr detail::byte_channel::shape shape() { return {sizeof(T), Capacity - 1}; }

 public:
  struct BATON_NODISCARD_TYPE send_operation : list_wait {
    BATON_INLINE send_operation(channel& c, const T& value)
        : list_wait{&c.core_.waiters, wait_list::senders, const_cast<T*>(&value)}, target(&c) {}

    static constexpr bool tries_and_suspends = true;
    BATON_INLINE bool try_or_suspend(waiter& w) const { return target->send_(&w, slot); }
    BATON_INLINE bool try_now(waiter& w) const {
      if (target->send_(nullptr, slot)) return false;
      w.end(status::ok);
      return true;
    }

    channel* target;
  };

  struct BATON_NODISCARD_TYPE receive_operation : list_wait {
    BATON_INLINE receive_operation(channel& c, T& value)
        : list_wait{&c.core_.waiters, wait_list::receivers, &value}, source(&c) {}

    static constexpr bool takes = true;

    static constexpr bool tries_and_suspends = true;
    BATON_INLINE bool try_or_suspend(waiter& w) const { return source->receive_(&w, slot); }
    BATON_INLINE bool try_now(waiter& w) const {
      if (source->receive_(nullptr, slot)) return false;
      w.end(status::ok);
      return true;
    }

    channel* source;
  };

  constexpr channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  ~channel() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(core_.waiters);
  }

  BATON_NODISCARD BATON_INLINE send_operation send(const T& value) { return send_operation(*this, value); }
  BATON_NODISCARD BATON_INLINE receive_operation receive(T& value) { return receive_operation(*this, value); }

  BATON_NODISCARD BATON_INLINE status try_send(const T& value) {
    if (!send_(nullptr, &value)) return status::ok;
    return is_closed() ? status::closed : status::full;
  }

  BATON_NODISCARD BATON_INLINE status try_receive(T& value) {
    if (!receive_(nullptr, &value)) return status::ok;
    return is_closed() ? status::closed : status::empty;
  }

  void close() {
    this->check();
    close_list(core_.waiters);
  }

  bool is_closed() const { return core_.waiters.is_closed(); }

 private:
  BATON_INLINE bool send_(waiter* w, const void* value) {
    this->check();
    return core_.send(w, value, shape());
  }
  BATON_INLINE bool receive_(waiter* w, void* value) {
    this->check();
    return core_.receive(w, value, shape());
  }

  detail::byte_channel core_;
  alignas(T) uint8_t slots_[Capacity * sizeof(T)] = {};
};

}  // namespace baton
