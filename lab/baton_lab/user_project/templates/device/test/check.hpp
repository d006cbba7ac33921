#pragma once

#include <baton/board.hpp>
#include <baton/core.hpp>

/// A test in virtual time: the program ends with 1 if a check has failed.
namespace check {

inline uint8_t& failures() {
  static uint8_t count;
  return count;
}

inline void that(bool holds, uint16_t line) {
  if (holds) return;
  if (failures() != 255) ++failures();
  baton::board::console console;
  baton::print_line(console, "FAILED in line ", line);
}

/// Lets time pass: every coroutine runs that is due meanwhile.
inline void pass_ms(uint16_t milliseconds) {
  for (; milliseconds; --milliseconds) {
    baton::sim::advance(baton::milliseconds(1));
    baton::scheduler::run_until_idle();
  }
}

[[noreturn]] inline void finish() {
  baton::board::console console;
  baton::print_line(console, failures() ? "failed" : "passed");
  baton::board::finish(failures() ? 1 : 0);
}

}  // namespace check

#define CHECK(condition) check::that(condition, __LINE__)
