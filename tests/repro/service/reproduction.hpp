// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service.hpp>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace async = baton::async;
using namespace baton::service;
using baton::milliseconds;
using baton::seconds;

/// The number of expectations that did not hold.
inline int failures = 0;

inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  std::fflush(stdout);
  ++failures;
}

/// The exit code of the program: 1 while the defect is there.
inline int outcome_of_expectations() {
  return failures != 0;
}

/// Ends the program after a time.
inline async::task<> quit_after(baton::duration time, context here) {
  static_cast<void>(co_await async::sleep_for(time));
  here.quit();
}
