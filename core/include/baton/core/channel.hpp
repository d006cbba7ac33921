// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/channel_store.hpp>
#include <baton/core/wait.hpp>

namespace baton {

/// Typed first-in-first-out channel between any number of senders and receivers of one domain.
///
/// Shape    `Capacity` values of `T`, inline; 0 is a rendezvous: the sender's value goes straight
///          into the receiver's variable. No heap. 3 bytes on AVR and the values.
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
///          first.
template <typename T, uint8_t Capacity = 0>
class channel : domain_affinity, spi::channel_store<T, Capacity> {
 public:
  struct send_operation;
  struct receive_operation;

  constexpr channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  /// As `close()`.
  ~channel() { close_list(waiters_); }

  /// For BATON_WAIT and its forms: sends `value`, waiting while no receiver waits and no slot is
  /// free.
  BATON_INLINE send_operation send(const T& value) { return send_operation(*this, value); }

  /// For BATON_WAIT and its forms: receives into `value`, waiting while there is none.
  BATON_INLINE receive_operation receive(T& value) { return receive_operation(*this, value); }

  /// Sends without waiting.
  /// Errors   full: no receiver waits and no slot is free; closed.
  BATON_NODISCARD status try_send(const T& value) {
    this->check();
    if (deliver(value)) return status::ok;
    return waiters_.is_closed() ? status::closed : status::full;
  }

  /// Receives without waiting.
  /// Errors   empty: nothing is stored and no sender waits; closed.
  BATON_NODISCARD status try_receive(T& value) {
    this->check();
    if (accept(value)) return status::ok;
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
  BATON_INLINE bool deliver(const T& value) {
    if (waiter* receiver = waiters_.take(wait_list::receivers)) {
      *static_cast<T*>(receiver->slot) = value;
      wake(receiver, waiter::delivered);
      return true;
    }
    return Capacity != 0 && !waiters_.is_closed() && this->put(value);
  }

  BATON_INLINE bool accept(T& value) {
    if (Capacity != 0) {
      if (!this->take(value)) return false;
      if (waiter* sender = waiters_.take(wait_list::senders)) {
        this->put(*static_cast<const T*>(sender->slot));
        wake(sender, static_cast<uint8_t>(status::ok));
      }
      return true;
    }
    waiter* sender = waiters_.take(wait_list::senders);
    if (!sender) return false;
    value = *static_cast<const T*>(sender->slot);
    wake(sender, static_cast<uint8_t>(status::ok));
    return true;
  }

  wait_list waiters_;
};

template <typename T, uint8_t Capacity>
struct channel<T, Capacity>::send_operation : list_wait {
  BATON_INLINE send_operation(channel& c, const T& value)
      : list_wait{&c.waiters_, wait_list::senders, const_cast<T*>(&value)}, target(&c) {}

  BATON_INLINE bool try_now(waiter& w) const {
    target->check();
    if (!target->deliver(*static_cast<const T*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  channel* target;
};

template <typename T, uint8_t Capacity>
struct channel<T, Capacity>::receive_operation : list_wait {
  BATON_INLINE receive_operation(channel& c, T& value)
      : list_wait{&c.waiters_, wait_list::receivers, &value}, source(&c) {}

  BATON_INLINE bool try_now(waiter& w) const {
    source->check();
    if (!source->accept(*static_cast<T*>(slot))) return false;
    w.end(status::ok);
    return true;
  }

  channel* source;
};

}  // namespace baton
