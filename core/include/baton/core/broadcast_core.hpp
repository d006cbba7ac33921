// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/job.hpp>
#include <baton/core/wait.hpp>
#include <stddef.h>

namespace baton {

namespace detail {

/// The place of a reader in a broadcast. Its value follows it without a gap.
struct alignas(uint64_t) broadcast_cursor {
  unsigned next = 0;
  unsigned lost = 0;
};

/// A broadcast without its values, which follow it: one copy of the code per program. A value is
/// stored over the oldest one.
///
/// Shape    `sent` values were sent; the last ones are stored, number n at `n & mask`.
struct alignas(uint64_t) broadcast_core {
  using cursor = broadcast_cursor;

  /// The bytes of a value, and the slots less one: constants of the type, which nothing stores.
  struct shape {
    uint8_t size, mask;
  };

  /// Stores the value, and hands it to the readers that wait. Never waits.
  BATON_NOINLINE bool send(waiter* w, const void* value, shape of) {
    copy(slot(sent, of), value, of.size);
    ++sent;
    while (waiter* reader = readers.take_shared(wait_list::receivers)) {
      fetch(*static_cast<cursor*>(reader->slot), of);
      wake_shared(reader, waiter::delivered);
    }
    if (w) w->end(status::ok);
    return false;
  }

  /// Receives. false: done. true: `w` waits, or, if it is null, nothing has happened.
  BATON_NOINLINE bool receive(waiter* w, cursor& c, shape of) {
    if (c.next == sent) {
      if (w) wait_shared(w, &readers, wait_list::receivers, &c);
      return true;
    }
    fetch(c, of);
    if (w) w->end(status::ok);
    return false;
  }

  void subscribe(cursor& c, shape) { c.next = sent; }
  static void unsubscribe(cursor&, shape) {}
  void close() { close_list(readers); }
  wait_list& senders() { return readers; }  // no sender ever waits
  wait_list& receivers() { return readers; }
  template <typename Cursor>
  static Cursor& place(Cursor& c) {
    return c;
  }

  /// Takes the next value of a reader, which is there unless newer ones were stored over it.
  BATON_NOINLINE void fetch(cursor& c, shape of) {
    const unsigned behind = sent - c.next;
    c.lost = behind > of.mask ? behind - of.mask - 1u : 0;
    c.next += c.lost;
    copy(&c + 1, slot(c.next, of), of.size);
    ++c.next;
  }

  void* slot(unsigned n, shape of) {
    return reinterpret_cast<uint8_t*>(this + 1) + static_cast<size_t>(n & of.mask) * of.size;
  }

  static BATON_NOINLINE void copy(void* to, const void* from, uint8_t size) {
    uint8_t* t = static_cast<uint8_t*>(to);
    const uint8_t* f = static_cast<const uint8_t*>(from);
    do *t++ = *f++;
    while (--size);
  }

  wait_list readers;
  unsigned sent = 0;
};

struct lossless_broadcast_core;

/// The place of a reader that holds senders back: the broadcast knows it.
struct lossless_cursor {
  lossless_cursor* link = nullptr;
  lossless_broadcast_core* owner = nullptr;
  broadcast_cursor at;  // the last member: the value follows it
};

/// As broadcast_core, with senders that wait while a reader has not received the oldest value.
struct lossless_broadcast_core {
  using cursor = lossless_cursor;
  using shape = broadcast_core::shape;

  BATON_NOINLINE bool send(waiter* w, const void* value, shape of) {
    if (writers.kind != wait_list::nobody || is_full(of)) {
      if (w) wait_shared(w, &writers, wait_list::senders, const_cast<void*>(value));
      return true;
    }
    return values.send(w, value, of);
  }

  BATON_NOINLINE bool receive(waiter* w, cursor& c, shape of) {
    BATON_REQUIRE(receive_before_subscribe, c.owner == this);
    if (values.receive(w, c.at, of)) return true;
    refill(of);
    return false;
  }

  BATON_NOINLINE void subscribe(cursor& c, shape of) {
    unsubscribe(c, of);
    values.subscribe(c.at, of);
    c.owner = this;
    c.link = first;
    first = &c;
  }

  static BATON_NOINLINE void unsubscribe(cursor& c, shape of) {
    lossless_broadcast_core* self = c.owner;
    if (!self) return;
    c.owner = nullptr;
    cursor** link = &self->first;
    while (*link != &c) link = &(*link)->link;
    *link = c.link;
    self->refill(of);
  }

  void close() {
    for (cursor* c = first; c; c = c->link) c->owner = nullptr;
    close_list(writers);
    close_list(values.readers);
  }

  wait_list& senders() { return writers; }
  wait_list& receivers() { return values.readers; }
  static broadcast_cursor& place(cursor& c) { return c.at; }
  static const broadcast_cursor& place(const cursor& c) { return c.at; }

  wait_list writers;
  cursor* first = nullptr;
  broadcast_core values;  // the last member: the values follow it

 private:
  /// True if a reader has still to receive the value over which the next one would be stored.
  bool is_full(shape of) const {
    for (const cursor* c = first; c; c = c->link) {
      if (values.sent - c->at.next > of.mask) return true;
    }
    return false;
  }

  /// Lets senders that wait send while there is room.
  void refill(shape of) {
    while (!is_full(of)) {
      waiter* w = writers.take_shared(wait_list::senders);
      if (!w) return;
      values.send(nullptr, w->slot, of);
      wake_shared(w, static_cast<uint8_t>(status::ok));
    }
  }
};

}  // namespace detail
}  // namespace baton
