// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/message_queue.hpp>

#include "floors.hpp"

// Small events that one loop pushes and handles: the case event of the suite async. The case
// cross_thread sends them, too.

namespace suite_async {

/// An event of 16 bytes: its type, its target and its values.
struct event {
  uint16_t type;
  uint16_t target;
  uint32_t number;
  uint64_t value;
};

/// A handler for each of the four types.
struct handlers {
  static constexpr uint32_t types = 4;

  BATON_INLINE void operator()(const event& e) {
    switch (e.type) {
      case 0:
        sums[0] += e.number;
        break;
      case 1:
        sums[1] ^= e.value;
        break;
      case 2:
        sums[2] += e.value + 1;
        break;
      default:
        sums[3] -= e.number;
        break;
    }
    ++handled;
  }

  uint64_t sums[types] = {};
  uint32_t handled = 0;
};

/// Events whose types come in turn, or at random. The peers draw the same numbers.
template <bool Random>
struct event_source {
  BATON_INLINE event next() {
    ++count_;
    const uint32_t number = Random ? draw() : count_;
    return {static_cast<uint16_t>(number % handlers::types), 0, number, count_};
  }

 private:
  uint32_t draw() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 16;
  }

  uint32_t count_ = 0;
  uint32_t state_ = 1;
};

/// The number of events that are pushed before the first is handled.
constexpr uint32_t batch = is_small ? 16 : sizeof(void*) == 8 ? 4096 : 256;

using pushes = baton::bench::operations<4096>;

template <bool Random>
struct events : workload {
  static async::message_queue<event, batch> queue;
  static handlers handle;

  static task<> push() {
    event_source<Random> source;
    for (uint32_t done = 0; done != pushes::count(); done += batch) {
      push_batch(source);
      co_await async::yield{};
    }
  }
  /// A function of its own, because g++ would build each event of a coroutine in its frame, word by
  /// word.
  static BATON_NOINLINE void push_batch(event_source<Random>& source) {
    event_source<Random> from = source;  // in registers, as the floor's
    for (uint32_t n = 0; n != batch; ++n) {
      if (queue.push(from.next()) != baton::status::ok) wrong = true;
    }
    source = from;
  }
  static task<> serve() {
    while (handle.handled != pushes::count()) {
      const baton::status waited = co_await queue.wait();  // in a condition, g++ 12 would misplace the promise
      if (waited != baton::status::ok) wrong = true;
      queue.drain([](const event& e) { handle(e); });
    }
  }
  static void prepare() {
    handle = handlers();
    runner::own().spawn(serve());
    runner::own().spawn(push());
  }
  static void run() { runner::own().run(); }
  static bool finish() { return handle.handled == pushes::count() && !wrong; }
};
template <bool Random>
async::message_queue<event, batch> events<Random>::queue;
template <bool Random>
handlers events<Random>::handle;

namespace minimal {

/// An array that is filled and read in turn. Its ends and the handlers' sums are locals, so that no
/// event loads or stores them.
template <bool Random>
struct events : workload {
  static event slots[batch];
  static handlers handle;

  static void prepare() { handle = handlers(); }
  static void run() {
    event_source<Random> source;
    handlers to = handle;
    for (uint32_t done = 0; done != pushes::count(); done += batch) {
      for (event& e : slots) e = source.next();
      BATON_COMPILER_BARRIER();
      for (const event& e : slots) to(e);
    }
    handle = to;
  }
  static bool finish() { return handle.handled == pushes::count() && !wrong; }
};
template <bool Random>
event events<Random>::slots[batch];
template <bool Random>
handlers events<Random>::handle;

}  // namespace minimal
}  // namespace suite_async
