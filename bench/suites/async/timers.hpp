// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/alarm.hpp>
#include <unistd.h>

#include <memory>

#include "tasks.hpp"
#include "wheel_floor.hpp"

// A million timers of a loop: the cases timer and timer_cancel of the suite async, on Linux.

namespace suite_async {

/// A million timers, if time is measured.
using arms = baton::bench::operations<15625>;

/// Timers are due at random within this time.
constexpr uint64_t due_within_ns = 100'000'000, hour_ns = 3'600'000'000'000;

/// The peers draw the same numbers.
struct random_numbers {
  uint32_t next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
  uint32_t state = 1;
};

// ---- timer: all timers are armed, and the loop runs when all are due

struct timers : workload {
  static constexpr bool delimits = true;

  struct one : async::alarm {
    one() : alarm(&fire) {}
    static baton::point fire(baton::job* j, baton::point) {
      static_cast<one*>(j)->leave();
      ++fired;
      return baton::suspended;
    }
  };
  static std::unique_ptr<one[]> all;
  static uint32_t fired;

  static task<> wait_for_all() {
    do co_await async::yield{};
    while (fired != arms::count());
  }
  static void prepare() {
    if (!all) all = std::make_unique<one[]>(arms::count());
    fired = 0;
    runner::own().spawn(wait_for_all());
  }
  static void run() {
    random_numbers numbers;
    baton::board::meter::start();
    const uint64_t begin = baton::port::now();
    for (uint32_t n = 0; n != arms::count(); ++n) all[n].arm(begin + numbers.next() * 6ull % due_within_ns);
    baton::board::meter::pause();
    while (baton::port::now() < begin + due_within_ns) usleep(1000);
    baton::board::meter::resume();
    runner::own().run();
    baton::board::meter::stop();
  }
  static bool finish() { return fired == arms::count() && runner::own().timers() == 0; }
};
std::unique_ptr<timers::one[]> timers::all;
uint32_t timers::fired;

// ---- timer_cancel: with a million pending, one is armed and cancelled

struct timer_cancels : workload {
  static uint32_t cancelled;

  struct others {
    others() {
      random_numbers numbers;
      for (uint32_t n = 0; n != arms::count(); ++n) each[n].arm(far(numbers));
    }
    std::unique_ptr<timers::one[]> each = std::make_unique<timers::one[]>(arms::count());
  };
  static uint64_t far(random_numbers& numbers) { return begin + hour_ns + numbers.next() % 1'000'000 * 1'000'000ull; }
  static uint64_t begin;

  static void prepare() { cancelled = 0; }
  static void run() {
    random_numbers numbers;
    timers::one own;
    for (uint32_t n = 0; n != arms::count(); ++n) {
      own.arm(far(numbers));
      cancelled += own.is_in_wheel();
      own.disarm();
    }
  }
  static bool finish() { return cancelled == arms::count() && runner::own().timers() == arms::count(); }
};
uint32_t timer_cancels::cancelled;
uint64_t timer_cancels::begin;

// ---- The same with a minimal wheel, which only the case turns

namespace minimal {

struct timers : workload {
  static std::unique_ptr<timer[]> all;
  static std::unique_ptr<wheel> times;
  static uint32_t fired;

  static void prepare() {
    if (!all) all = std::make_unique<timer[]>(arms::count());
    times = std::make_unique<wheel>();
    fired = 0;
  }
  static void run() {
    random_numbers numbers;
    for (uint32_t n = 0; n != arms::count(); ++n) {
      times->arm(all[n], static_cast<uint32_t>(1 + (numbers.next() * 6ull % due_within_ns >> wheel::tick_bits)));
    }
    for (uint32_t n = 0; n <= 1 + (due_within_ns >> wheel::tick_bits); ++n) {
      times->turn([](timer*) { ++fired; });
    }
  }
  static bool finish() { return fired == arms::count(); }
};
std::unique_ptr<timer[]> timers::all;
std::unique_ptr<wheel> timers::times;
uint32_t timers::fired;

struct timer_cancels : workload {
  static std::unique_ptr<timer[]> others;
  static std::unique_ptr<wheel> times;
  static uint32_t cancelled;

  static uint32_t far(random_numbers& numbers) {
    return static_cast<uint32_t>((hour_ns + numbers.next() % 1'000'000 * 1'000'000ull) >> wheel::tick_bits);
  }
  static void prepare() {
    cancelled = 0;
    if (times) return;
    others = std::make_unique<timer[]>(arms::count());
    times = std::make_unique<wheel>();
    random_numbers numbers;
    for (uint32_t n = 0; n != arms::count(); ++n) times->arm(others[n], far(numbers));
  }
  static void run() {
    random_numbers numbers;
    timer own;
    for (uint32_t n = 0; n != arms::count(); ++n) {
      times->arm(own, far(numbers));
      cancelled += own.next != nullptr;
      wheel::disarm(own);
    }
  }
  static bool finish() { return cancelled == arms::count(); }
};
std::unique_ptr<timer[]> timer_cancels::others;
std::unique_ptr<wheel> timer_cancels::times;
uint32_t timer_cancels::cancelled;

}  // namespace minimal
}  // namespace suite_async
