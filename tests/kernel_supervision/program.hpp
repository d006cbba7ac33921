// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/print.hpp>

/// The common part of the programs: their console, and their verdict.
namespace supervision {

namespace kernel = baton::kernel;

inline void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

struct console {
  void put(char c) { baton::board::console::put(c); }
};

inline bool& verdict() {
  static bool good = true;
  return good;
}

/// Prints `what` if it does not hold.
inline void check(bool holds, const char* what) {
  if (holds) return;
  verdict() = false;
  say("missing: ");
  say(what);
  say("\n");
}

__attribute__((noreturn)) inline void finish() {
  say(verdict() ? "verdict: good\n" : "verdict: bad\n");
  baton::board::finish(verdict() ? 0 : 1);
}

/// An instruction that no processor has.
__attribute__((noinline, noclone)) inline void execute_undefined() {
  __builtin_trap();
}

}  // namespace supervision
