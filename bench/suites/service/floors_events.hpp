// SPDX-License-Identifier: MIT
#pragma once

#include <coroutine>

#include "counted.hpp"
#include "floors_loop.hpp"

// The cases of events and of a coroutine, on the minimal loop.

namespace suite_service {
namespace minimal {

struct event_drain {
  explicit event_drain(uint32_t n) : events(n) {}
  void run() {
    for (uint32_t i = 0; i != events; ++i) at.push(nothing{});
    at.run();
  }
  counted finish() const { return {events, at.handled()}; }

  uint32_t events;
  loop at;
};
template <uint32_t N>
struct drained : event_drain {
  drained() : event_drain(N) {}
};

struct event_handler {
  explicit event_handler(uint32_t n) : events(n) { at.on<number, &event_handler::hear>(*this); }
  void run() {
    for (uint32_t i = 0; i != events; ++i) at.push(number{i});
    at.run();
  }
  counted finish() const { return only_if(sum == uint64_t{events} * (events - 1) / 2, {events, heard}); }
  void hear(const number& n) {
    sum += n.value;
    ++heard;
  }

  uint32_t events;
  uint64_t heard = 0, sum = 0;
  loop at;
};

struct event_steady {
  explicit event_steady(uint32_t n) : events(n) { at.on<number, &event_steady::hear>(*this); }
  void run() {
    for (uint32_t i = 0; i != in_flight; ++i) push();
    at.run();
  }
  counted finish() const { return only_if(!wrong, {events, heard}); }
  void push() {
    if (pushed == events) return;
    at.push(number{++pushed});
  }
  void hear(const number& n) {
    wrong |= n.value != ++heard;
    push();
  }

  uint32_t events;
  uint64_t pushed = 0, heard = 0;
  bool wrong = false;
  loop at;
};

/// At most one coroutine waits for it.
struct auto_event {
  bool await_ready() noexcept {
    const bool was_set = is_set;
    is_set = false;
    return was_set;
  }
  void await_suspend(std::coroutine_handle<> h) noexcept { waiting = h; }
  void await_resume() const noexcept {}
  void set() {
    if (!waiting) {
      is_set = true;
      return;
    }
    const std::coroutine_handle<> h = waiting;
    waiting = nullptr;
    h.resume();
  }

  std::coroutine_handle<> waiting;
  bool is_set = false;
};

/// A coroutine that runs when it is created, and frees itself at its end.
struct body {
  struct promise_type {
    body get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { __builtin_trap(); }
  };
};

struct coroutine {
  explicit coroutine(uint32_t n) : awaits(n) { at.runs<setter>(); }
  void run() {
    wait();
    at.run();
  }
  counted finish() const { return {awaits, resumed}; }

  struct setter {
    auto_event* event;
    void operator()() const { event->set(); }
  };
  body wait() {
    for (uint32_t i = 0; i != awaits; ++i) {
      at.push(setter{&event});
      co_await event;
      ++resumed;
    }
  }

  uint32_t awaits;
  uint64_t resumed = 0;
  auto_event event;
  loop at;
};

}  // namespace minimal
}  // namespace suite_service
