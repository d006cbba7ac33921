// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace async = baton::async;
using async::task;
using baton::channel;
using baton::microseconds;
using baton::milliseconds;
using baton::seconds;
using baton::status;
using baton::tick;

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
