// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>
#include <stddef.h>

namespace baton {
namespace detail {

/// A channel with slots, for every type that is copied as bytes: one copy per program.
///
/// Shape    the values follow, the oldest at `head & mask`.
struct byte_channel {
  /// The bytes of a value, and the slots less one: constants of the type, which nothing stores.
  struct shape {
    uint8_t size, mask;
  };

  BATON_INLINE uint8_t* slot(uint8_t cursor, shape of) {
    return reinterpret_cast<uint8_t*>(this + 1) + static_cast<size_t>(cursor & of.mask) * of.size;
  }

  static BATON_NOINLINE void copy(void* to, const void* from, uint8_t size) {
    uint8_t* t = static_cast<uint8_t*>(to);
    const uint8_t* f = static_cast<const uint8_t*>(from);
    do *t++ = *f++;
    while (--size);
  }

  /// Sends. false: done. true: `w` waits, or, if it is null, nothing has happened.
  BATON_NOINLINE bool send(waiter* w, const void* value, shape of) {
    waiter* receiver = waiters.take_shared(wait_list::receivers);
    void* to;
    if (receiver) {
      to = receiver->slot;
    } else if (waiters.is_closed() || static_cast<uint8_t>(tail - head) > of.mask) {
      if (w) wait_shared(w, &waiters, wait_list::senders, const_cast<void*>(value));
      return true;
    } else {
      to = slot(tail++, of);
    }
    copy(to, value, of.size);
    if (receiver) wake_shared(receiver, waiter::delivered);
    if (w) w->end(status::ok);
    return false;
  }

  /// Receives, with the results of `send`. Where a sender waits, all slots were full, so its value
  /// goes into the slot that has become free.
  BATON_NOINLINE bool receive(waiter* w, void* value, shape of) {
    if (head == tail) {
      if (w) wait_shared(w, &waiters, wait_list::receivers, value);
      return true;
    }
    uint8_t* oldest = slot(head, of);
    copy(value, oldest, of.size);
    ++head;
    if (waiter* sender = waiters.take_shared(wait_list::senders)) {
      copy(oldest, sender->slot, of.size);
      ++tail;
      wake_shared(sender, static_cast<uint8_t>(status::ok));
    }
    if (w) w->end(status::ok);
    return false;
  }

  wait_list waiters;
  uint8_t head = 0, tail = 0;
};

}  // namespace detail
}  // namespace baton
