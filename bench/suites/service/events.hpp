// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service.hpp>

#include "counted.hpp"

// Events of a worker, and a coroutine that one of them resumes: the cases coroutine and event_* of
// the suite service.

namespace suite_service {

namespace async = baton::async;
namespace service = baton::service;

inline service::options without_signals() {
  service::options o;
  o.ends_at_signals = false;
  return o;
}

/// An application without services.
struct program {
  service::application app{without_signals()};
  service::context here = app.main();

  /// The number of handled events, without those of the end.
  uint64_t handled() const { return app.handled_events() - of_an_end(); }
  bool ran_well() const { return code == 0 && app.lost_events() == 0; }
  void run() { code = app.run(); }

  int code = -1;

 private:
  /// The number of events of an application that only quits.
  static uint64_t of_an_end() {
    static const uint64_t events = [] {
      service::application idle(without_signals());
      idle.quit();
      idle.run();
      return idle.handled_events();
    }();
    return events;
  }
};

/// Pushes all events, and then runs. There is no handler.
struct event_drain : program {
  explicit event_drain(uint32_t n) : events(n) {}
  void run() {
    for (uint32_t i = 0; i != events; ++i) pushed += here.push(nothing{}) == baton::status::ok;
    here.quit();
    program::run();
  }
  counted finish() const { return only_if(ran_well() && pushed == events, {pushed, handled()}); }

  uint32_t events;
  uint64_t pushed = 0;
};

/// An application that does so with `N` events.
template <uint32_t N>
struct drained : event_drain {
  drained() : event_drain(N) {}
};

/// As event_drain, with a payload of 8 bytes and a handler.
struct event_handler : program {
  explicit event_handler(uint32_t n) : events(n) {}
  void run() {
    for (uint32_t i = 0; i != events; ++i) pushed += here.push(number{i}) == baton::status::ok;
    here.quit();
    program::run();
  }
  counted finish() const {
    const bool is_right = ran_well() && handled() == heard && sum == uint64_t{events} * (events - 1) / 2;
    return only_if(is_right && pushed == events, {pushed, heard});
  }

  uint32_t events;
  uint64_t pushed = 0, heard = 0, sum = 0;
  service::registration hears = here.on<number>([this](const number& n) {
    sum += n.value;
    ++heard;
  });
};

/// Sixteen events are in flight. The handler of each pushes the next, and checks their order.
struct event_steady : program {
  explicit event_steady(uint32_t n) : events(n) {}
  void run() {
    for (uint32_t i = 0; i != in_flight; ++i) push();
    program::run();
  }
  counted finish() const { return only_if(ran_well() && !wrong && handled() == heard, {events, heard}); }
  void push() {
    if (pushed != events) {
      wrong |= here.push(number{++pushed}) != baton::status::ok;
    } else if (!std::exchange(is_ending, true)) {
      here.quit();
    }
  }

  uint32_t events;
  uint64_t pushed = 0, heard = 0;
  bool wrong = false, is_ending = false;
  service::registration hears = here.on<number>([this](const number& n) {
    wrong |= n.value != ++heard;
    push();
  });
};

/// Waits for a signal that a function sets, which is called in its turn among the events.
struct coroutine : program {
  explicit coroutine(uint32_t n) : awaits(n) {}
  void run() {
    if (here.run(wait(*this)) != baton::status::ok) __builtin_trap();
    program::run();
  }
  counted finish() const { return only_if(ran_well(), {pushed, resumed}); }

  static async::task<> wait(coroutine& c) {
    for (uint32_t i = 0; i != c.awaits; ++i) {
      c.pushed += c.here.run([&c] { c.event.set(); }) == baton::status::ok;
      const baton::status waited = co_await c.event.wait();
      c.resumed += waited == baton::status::ok;
    }
    c.here.quit();
  }

  uint32_t awaits;
  uint64_t pushed = 0, resumed = 0;
  baton::signal event;
};

}  // namespace suite_service
