// SPDX-License-Identifier: MIT
//
// The sizes that the docs promise on AVR. The file is compiled, never run.
#include <baton/core.hpp>

static_assert(sizeof(baton::plain) == 5, "plain");
static_assert(sizeof(baton::timed) == 9, "timed");
static_assert(sizeof(baton::long_timed) == 13, "long_timed");
static_assert(sizeof(baton::waiting) == 9, "waiting");
static_assert(sizeof(baton::timed_waiting) == 13, "timed_waiting");
static_assert(sizeof(baton::deadline) == 18, "deadline");

struct body : baton::coroutine<body> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_END();
  }
};
static_assert(sizeof(body) == 5, "a coroutine adds nothing to its base");
static_assert(sizeof(baton::channel<uint16_t>) == 3, "channel");
static_assert(sizeof(baton::endpoint<uint16_t, uint16_t>) == 3, "endpoint");
static_assert(sizeof(baton::signal) == 4, "signal");
static_assert(sizeof(baton::semaphore) == 5, "semaphore");
static_assert(sizeof(baton::event_flags) == 5, "event_flags");
