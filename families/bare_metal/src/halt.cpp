// SPDX-License-Identifier: MIT
//
// Ends a program on a board: after main, by a requirement that does not hold, or by a fault.
#include <baton/board_console.hpp>
#include <stdint.h>

namespace {

constexpr uint8_t requirement_failed = 70;
constexpr uint8_t crashed = 125;

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

void say_number(uint32_t n) {
  char digits[10];
  uint8_t used = 0;
  do {
    digits[used++] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n);
  while (used) baton::board::console::put(digits[--used]);
}

}  // namespace

extern "C" {

/// Called after main.
__attribute__((noreturn)) void baton_end(int exit_code) {
  baton::board::finish(static_cast<uint8_t>(exit_code));
}

/// Called by the ports' `halt`.
__attribute__((noreturn)) void baton_halt(uint16_t id) {
  say("baton: requirement ");
  say_number(id);
  say(" does not hold; ./baton explain ");
  say_number(id);
  say("\n");
  baton::board::finish(requirement_failed);
}

/// Called by assembly for an unhandled exception. `number` is the processor's own number of it.
__attribute__((noreturn, used)) void baton_crash(uint32_t number) {
  say("FAULT ");
  say_number(number);
  say("\n");
  baton::board::finish(crashed);
}
}
