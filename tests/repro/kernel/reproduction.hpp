// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdint.h>

namespace kernel = baton::kernel;
using kernel::word;

/// Bytes of a task's stack, which Linux needs more of.
constexpr word stack_bytes = baton::kernel_port::least_stack < 4096 ? 512 : 65536;

/// The number of expectations that did not hold.
static volatile int failures = 0;

inline void put(const char* text) {
  for (; *text; ++text) baton::board::console::put(*text);
}

inline void expect(bool holds, const char* what) {
  if (holds) return;
  put("failed: ");
  put(what);
  put("\r\n");
  failures = failures + 1;
}

/// Ends the program with the verdict.
inline void finish() {
  baton::board::finish(failures != 0);
}
