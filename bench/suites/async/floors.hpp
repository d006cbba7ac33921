// SPDX-License-Identifier: MIT
#pragma once

#include "call_floor.hpp"

// The minimal prototypes of a switch, a meeting and a coroutine's life: floors of the suite async.
// At most one coroutine waits per place. The floor of a call is in call_floor.hpp.

namespace suite_async {
namespace minimal {

// ---- switch: a loop also looks for messages at each switch, and for due timers now and then

static void* volatile sent;
static uint8_t looks;
static volatile bool is_due;

struct yield : suspends {
  std::coroutine_handle<> await_suspend(handle h) const noexcept {
    ready.yield(&h.promise());
    if (BATON_UNLIKELY(sent != nullptr)) return std::noop_coroutine();
    if (BATON_UNLIKELY(++looks % 64 == 0) && is_due) return std::noop_coroutine();
    return ready.next();
  }
};

struct switches : workload {
  static uint32_t count;

  static body raise() {
    do co_await yield{};
    while (++count < operations::count());
  }
  static void prepare() {
    count = 0;
    raise();
    raise();
  }
  static void run() { ready.run(); }
  static bool finish() { return count == operations::count() + 1; }
};
uint32_t switches::count;

// ---- rendezvous: one place for a coroutine that waits, and for the address of its value

struct meeting {
  promise* waiting = nullptr;
  uint64_t* value = nullptr;

  /// Makes the other side ready. Returns the address of its value; null if it does not wait.
  uint64_t* meet() {
    if (!waiting) return nullptr;
    ready.push(waiting);
    waiting = nullptr;
    return value;
  }
  std::coroutine_handle<> wait(handle h, uint64_t& at) {
    waiting = &h.promise();
    value = &at;
    ready.leave(waiting);
    return ready.next();
  }
};
static meeting place;

struct sends : suspends {
  explicit sends(uint64_t& n) : value(n) {}
  bool await_ready() noexcept {
    uint64_t* to = place.meet();
    if (!to) return false;
    *to = value;
    return true;
  }
  std::coroutine_handle<> await_suspend(handle h) noexcept { return place.wait(h, value); }

  uint64_t& value;
};
struct receives : suspends {
  explicit receives(uint64_t& n) : value(n) {}
  bool await_ready() noexcept {
    const uint64_t* from = place.meet();
    if (!from) return false;
    value = *from;
    return true;
  }
  std::coroutine_handle<> await_suspend(handle h) noexcept { return place.wait(h, value); }

  uint64_t& value;
};

struct rendezvous : workload {
  static uint32_t received;

  static body write() {
    for (uint64_t n = 0; n != operations::count(); ++n) co_await sends(n);
  }
  static body read() {
    for (uint64_t expected = 0; expected != operations::count(); ++expected) {
      uint64_t n;
      co_await receives(n);
      received += n == expected;
    }
  }
  static void prepare() {
    received = 0;
    read();
    write();
  }
  static void run() { ready.run(); }
  static bool finish() { return received == operations::count(); }
};
uint32_t rendezvous::received;

// ---- spawn: a frame from a list, a turn in the queue, and back

struct spawns : workload {
  static uint32_t ended;

  static body end() {
    ++ended;
    co_return;
  }
  static void prepare() {
    begin_and_run(spawned_together);
    ended = 0;
  }
  static void run() { begin_and_run(operations::count()); }
  static BATON_NOINLINE void begin_and_run(uint32_t count) {
    for (uint32_t done = 0; done != count; done += spawned_together) {
      for (uint32_t n = 0; n != spawned_together; ++n) end();
      ready.run();
    }
  }
  static bool finish() { return ended == operations::count(); }
};
uint32_t spawns::ended;

}  // namespace minimal
}  // namespace suite_async
