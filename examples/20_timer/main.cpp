// SPDX-License-Identifier: MIT
//
// Timers: one is due once, one pushes an event each period, and one runs a coroutine that takes
// longer than the period. On Linux the program runs in virtual time.
#include <baton/components/loop_timer_service.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::literals;
namespace async = baton::async;
using namespace baton::service;
using baton::catch_up;
using baton::components::pushes;
using baton::components::timer;

/// A minute has passed; the minutes of this program are short.
struct minute {};

unsigned now_ms() {
  return static_cast<unsigned>(baton::port::now() / 1_ms);
}

/// Handles the event, and does not know which service pushes it.
struct display {
  explicit display(context here)
      : shows(here.on<minute>([this](const minute&) { std::printf("%4u ms: minute %d\n", now_ms(), ++count); })) {}
  int count = 0;
  registration shows;
};

/// Owns three timers, which end with it.
struct kitchen {
  kitchen(required<baton::components::timer_service> t, context here)
      : minutes(t->every(here, 60_ms, catch_up::all, pushes(minute{}))),
        stirs(t->every(here, 100_ms, catch_up::skip, [this] { return stir(); })),
        rings(t->once(here, 490_ms, [here] {
          std::printf("%4u ms: the eggs are done\n", now_ms());
          here.quit();
        })) {}
  ~kitchen() {
    std::printf("stirred %u times, left out %u\n", static_cast<unsigned>(stirs.runs()),
                static_cast<unsigned>(stirs.missed()));
  }

  async::task<> stir() {
    std::printf("%4u ms: stirs\n", now_ms());
    co_await async::sleep_for(120_ms);  // longer than its period: the next run is on the grid again
    std::printf("%4u ms: has stirred\n", now_ms());
  }

  timer minutes;
  timer stirs;
  timer rings;
};

int main() {
  application app;
  app.add<baton::components::loop_timer_service, baton::components::timer_service>();
  app.add<display>();
  app.add<kitchen>();
  return app.run();
}
