// SPDX-License-Identifier: MIT
#pragma once

#include "tasks.hpp"

// The minimal prototypes of a round trip and of a switch: the floors of the suite srr on ports
// whose tasks are fibers. There are none elsewhere, in the program without optimization, or under a
// sanitizer that has to be told of each switch.

#ifndef __has_include
#define __has_include(header) 0
#endif

#if __has_include(<baton/fiber.hpp>) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#include <baton/fiber.hpp>

namespace suite_srr {

/// Two stacks, and the one that started them. There is no ready queue, no priority and no refusal;
/// the code fixes which fiber waits for which.
template <typename Floor>
struct two_fibers : workload {
  static constexpr bool delimits = true;

  static baton::fiber caller, one, other;

  static void prepare() {
    wrong = ended = 0;
    baton::prepare_fiber(one, one_stack.words, sizeof one_stack, &Floor::lead);
    baton::prepare_fiber(other, other_stack.words, sizeof other_stack, &Floor::follow);
  }
  static void run() { baton::switch_fiber(caller, one); }

 protected:
  /// Ends the leader's work.
  static BATON_INLINE void end() {
    ended = 1;
    for (;;) baton::switch_fiber(one, caller);
  }
};
template <typename Floor>
baton::fiber two_fibers<Floor>::caller;
template <typename Floor>
baton::fiber two_fibers<Floor>::one;
template <typename Floor>
baton::fiber two_fibers<Floor>::other;

/// The place where a send leaves its buffer for the reply: address and length, of which the shorter
/// length counts.
struct minimal_place {
  void* to;
  word length;
};

/// Client and server of a round trip: one copy and one switch each way.
template <word Bytes>
struct minimal_round_trip : two_fibers<minimal_round_trip<Bytes>> {
  using fibers = two_fibers<minimal_round_trip<Bytes>>;

  static minimal_place received, replied;

  static BATON_INLINE word copy(minimal_place& place, const void* from, word length) {
    __builtin_memcpy(place.to, from, length < place.length ? length : place.length);
    place.length = length;
    return length;
  }
  /// Leaves a message with the server, and waits for the reply.
  static BATON_INLINE word send(const void* message, word length, void* reply, word reply_length) {
    replied = minimal_place{reply, reply_length};
    copy(received, message, length);
    baton::switch_fiber(fibers::one, fibers::other);
    return replied.length;
  }

  static void lead() {
    conversation<Bytes> c;
    baton::switch_fiber(fibers::one, fibers::other);
    uint_fast16_t n = rounds::count();
    baton::board::meter::start();
    do {
      c.ask(n);
      if (c.is_wrong(send(c.message, Bytes, c.reply, Bytes))) wrong = 1;
    } while (--n);
    baton::board::meter::stop();
    fibers::end();
  }
  static void follow() {
    uint32_t buffer[Bytes / 4];
    for (;;) {
      received = minimal_place{buffer, Bytes};
      baton::switch_fiber(fibers::other, fibers::one);
      copy(replied, buffer, received.length);
    }
  }

  static bool finish() { return ended && !wrong; }
};
template <word Bytes>
minimal_place minimal_round_trip<Bytes>::received;
template <word Bytes>
minimal_place minimal_round_trip<Bytes>::replied;

/// A ready fiber in a queue, first in, first out, from which a yield takes the next.
struct minimal_task {
  baton::fiber stack;
  minimal_task* next;
};

struct minimal_switch : workload {
  static constexpr bool delimits = true;

  static baton::fiber caller;
  static minimal_task leader, follower;
  static minimal_task *first_ready, *last_ready, *running;

  static BATON_INLINE void push(minimal_task* t) {
    t->next = nullptr;
    if (first_ready) {
      last_ready->next = t;
    } else {
      first_ready = t;
    }
    last_ready = t;
  }
  static BATON_INLINE void yield() {
    minimal_task* self = running;
    push(self);
    running = first_ready;
    first_ready = running->next;
    baton::switch_fiber(self->stack, running->stack);
  }

  static void lead() {
    yield();
    uint_fast16_t n = rounds::count() / 2;
    baton::board::meter::start();
    do yield();
    while (--n);
    baton::board::meter::stop();
    led = rounds::count() / 2;
    ended = 1;
    yield();
    for (;;) baton::switch_fiber(leader.stack, caller);
  }
  static void follow() {
    uint32_t turns = 0;
    do {
      ++turns;
      yield();
    } while (!ended);
    followed = turns;
    for (;;) yield();
  }

  static void prepare() {
    wrong = ended = led = followed = 0;
    baton::prepare_fiber(leader.stack, one_stack.words, sizeof one_stack, &lead);
    baton::prepare_fiber(follower.stack, other_stack.words, sizeof other_stack, &follow);
    first_ready = nullptr;
    running = &leader;
    push(&follower);
  }
  static void run() { baton::switch_fiber(caller, leader.stack); }
  static bool finish() { return ended && !wrong && followed == led + 1; }
};
baton::fiber minimal_switch::caller;
minimal_task minimal_switch::leader, minimal_switch::follower;
minimal_task *minimal_switch::first_ready, *minimal_switch::last_ready, *minimal_switch::running;

}  // namespace suite_srr
#else

namespace suite_srr {

template <word>
using minimal_round_trip = baton::bench::none;
using minimal_switch = baton::bench::none;

}  // namespace suite_srr
#endif
