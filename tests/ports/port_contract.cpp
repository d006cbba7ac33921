// SPDX-License-Identifier: MIT
//
// Tests the board's own port against core/include/baton/core/platform.hpp. The program names the
// missing parts; the last line is the verdict.
#include <baton/board.hpp>
#include <baton/core/platform.hpp>
#include <stdint.h>

namespace {

using baton::port;
using baton::tick;
using baton::tick_difference;

constexpr tick per_ms = port::ticks_per_second / 1000;
bool all_hold = true;

void say(port::text text) {
  for (char c; (c = port::read(text)) != 0; ++text) baton::board::console::put(c);
}

bool check(bool holds, port::text what) {
  if (!holds) {
    all_hold = false;
    say(BATON_TEXT("missing: "));
    say(what);
    say(BATON_TEXT("\n"));
  }
  return holds;
}

bool is_past(tick due) {
  return static_cast<tick_difference>(port::now() - due) >= 0;
}

/// Makes enough readings for a millisecond of any processor.
bool clock_runs() {
  const tick begun = port::now();
  for (uint32_t turns = 0; turns < 2000000; ++turns) {
    if (port::now() != begun) return true;
  }
  return false;
}

void clock_never_goes_back() {
  bool holds = true;
  tick before = port::now();
  for (const tick until = before + 40 * per_ms; static_cast<tick_difference>(before - until) < 0;) {
    const tick after = port::now();
    holds = holds && static_cast<tick_difference>(after - before) >= 0;
    before = after;
  }
  check(holds, BATON_TEXT("now() never goes back"));
}

void flags() {
  port::attention::raise();
  check(port::attention::raised(), BATON_TEXT("attention that was raised is raised"));
  check(port::idle() && port::attention::raised(), BATON_TEXT("idle() returns at once when attention is raised"));
  port::attention::lower();
  check(!port::attention::raised(), BATON_TEXT("attention that was lowered is not raised"));
  port::waker w{};
  w.bind();
  w.raise();
  check(port::attention::raised(), BATON_TEXT("a waker raises attention"));
  port::attention::lower();
}

struct counter {
  uint16_t n;
};

void variables_and_texts() {
  port::local<counter>::get().n = static_cast<uint16_t>(port::local<counter>::get().n + 7);
  check(port::local<counter>::get().n == 7, BATON_TEXT("local<T>::get() is one object, zero at first"));
  const port::text text = BATON_TEXT("xy");
  check(port::read(text) == 'x' && port::read(text + 1) == 'y', BATON_TEXT("read() reads BATON_TEXT"));
}

/// Spins: attention may be raised early, but must be raised when the time has come, or when a busy
/// host has had time for it.
bool an_alarm_rings() {
  port::attention::lower();
  const tick due = port::now() + 3 * per_ms;
  port::alarm(due);
  while (!is_past(due + per_ms)) {
  }
  while (!port::attention::raised() && !is_past(due + 1000 * per_ms)) {
  }
  return check(port::attention::raised(), BATON_TEXT("an alarm raises attention"));
}

/// Masks: if the port can mask, nothing comes in between, and it comes afterwards.
void critical_holds() {
  if (__is_empty(port::critical)) return;  // a host's alarms are signals, which touch the flag alone
  port::attention::lower();
  bool came_in;
  {
    const port::critical outer;
    const tick due = port::now() + 2 * per_ms;
    port::alarm(due);
    { const port::critical inner; }
    while (!is_past(due + per_ms)) {
    }
    came_in = port::attention::raised();
  }
  check(!came_in, BATON_TEXT("no interrupt comes into a critical section, also after an inner one"));
  for (const tick until = port::now() + per_ms; !is_past(until);) {
  }
  check(port::attention::raised(), BATON_TEXT("what was masked comes afterwards"));
}

/// Sleeps as the scheduler does. The runner ends a sleep that does not end.
void idle_sleeps_until_the_alarm() {
  uint16_t wakes = 0;
  const tick due = port::now() + 50 * per_ms;
  port::attention::lower();
  port::alarm(due);
  while (!is_past(due)) {
    port::idle();
    port::attention::lower();
    if (!is_past(due)) port::alarm(due);
    ++wakes;
  }
  check(wakes <= 20, BATON_TEXT("idle() sleeps"));
  check(static_cast<tick_difference>(port::now() - due) < static_cast<tick_difference>(1000 * per_ms),
        BATON_TEXT("idle() ends with the alarm"));
}

/// Compares the clocks over 20 ms, to a fiftieth.
bool profile_clock_agrees_once() {
  const tick begun = port::now();
  const port::profile_tick32 begun32 = port::profile_now32();
  while (!is_past(begun + 20 * per_ms)) {
  }
  const port::profile_tick32 took32 = port::profile_now32() - begun32;
  const uint32_t us = static_cast<uint32_t>((port::now() - begun) / (per_ms / 1000 ? per_ms / 1000 : 1));
  const uint32_t expected = us * port::profile_ticks_per_us;
  return took32 > expected - expected / 50 && took32 < expected + expected / 50;
}

bool low_half_agrees_once() {
  const port::profile_tick32 begun32 = port::profile_now32();
  const port::profile_tick16 begun16 = port::profile_now16();
  for (const tick until = port::now() + 20 * per_ms; !is_past(until);) {
  }
  const port::profile_tick32 took32 = port::profile_now32() - begun32;
  const port::profile_tick16 took16 = static_cast<port::profile_tick16>(port::profile_now16() - begun16);
  const uint16_t apart = static_cast<uint16_t>(took32 - took16);
  const uint32_t expected = 20000 * port::profile_ticks_per_us;
  return apart < expected / 50 || apart > 65535 - expected / 50;
}

/// A host may take the processor away between two readings, so one success in five is enough: a
/// clock of another rate has none.
bool once_in_five(bool (*holds)()) {
  for (uint8_t left = 5; left != 0; --left) {
    if (holds()) return true;
  }
  return false;
}

void profile_clock_agrees() {
  check(once_in_five(profile_clock_agrees_once), BATON_TEXT("profile_now32() counts profile_ticks_per_us"));
  check(once_in_five(low_half_agrees_once), BATON_TEXT("profile_now16() is its low half"));
}

}  // namespace

int main() {
  baton::board::start();
  port::start();
  flags();
  variables_and_texts();
  if (check(clock_runs(), BATON_TEXT("now() advances (what needs a clock was not tried)"))) {
    clock_never_goes_back();
    profile_clock_agrees();
    if (an_alarm_rings()) {
      critical_holds();
      idle_sleeps_until_the_alarm();
    }
  }
  say(all_hold ? BATON_TEXT("verdict: good\n") : BATON_TEXT("verdict: bad\n"));
  baton::board::finish(all_hold ? 0 : 1);
}
