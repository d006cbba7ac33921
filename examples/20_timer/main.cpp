// SPDX-License-Identifier: MIT
//
// Timers: one that is due once, one that pushes an event each period, and one that runs a coroutine and comes late for it. On Linux in virtual time.
#include <baton/provided/loop_timers.hpp>
#include <baton/service.hpp>
#include <cstdio>

namespace async = baton::async;
using namespace baton::service;
using baton::catch_up;
using baton::milliseconds;
using baton::provided::pushes;
using baton::provided::timer;

/// A minute has passed. (They are short here.)
struct minute {};

unsigned now_ms() {
  return static_cast<unsigned>(baton::port::now() / milliseconds(1));
}

/// Hears the event: it does not know who pushes it.
struct display {
  explicit display(context here)
      : shows(here.on<minute>([this](const minute&) { std::printf("%4u ms: minute %d\n", now_ms(), ++count); })) {}
  int count = 0;
  registration shows;
};

/// Owns three timers. They end with it.
struct kitchen {
  kitchen(required<baton::provided::timers> t, context here)
      : minutes(t->every(here, milliseconds(60), catch_up::all, pushes(minute{}))),
        stirs(t->every(here, milliseconds(100), catch_up::skip, [this] { return stir(); })),
        rings(t->once(here, milliseconds(490), [here] {
          std::printf("%4u ms: the eggs are done\n", now_ms());
          here.quit();
        })) {}
  ~kitchen() {
    std::printf("stirred %u times, left out %u\n", static_cast<unsigned>(stirs.runs()),
                static_cast<unsigned>(stirs.missed()));
  }

  async::task<> stir() {
    std::printf("%4u ms: stirs\n", now_ms());
    co_await async::sleep_for(milliseconds(120));  // longer than its period: the next one is on the grid again
    std::printf("%4u ms: has stirred\n", now_ms());
  }

  timer minutes;
  timer stirs;
  timer rings;
};

int main() {
  application app;
  app.add<baton::provided::loop_timers, baton::provided::timers>();
  app.add<display>();
  app.add<kitchen>();
  return app.run();
}
