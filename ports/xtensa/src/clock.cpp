// SPDX-License-Identifier: MIT
//
// Implements the clock, which is a tick and the CCOUNT at which it began. Each reading moves both
// on by whole ticks. CCOMPARE0 interrupts twice in the time that CCOUNT takes to wrap, so no wrap
// is missed.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

using baton::port;

constexpr uint32_t longest_cycles = 1u << 31;
constexpr uint32_t timer_interrupt = 1u << 6;

uint32_t last_tick;
uint32_t last_count;

/// Returns the high word of a product. The core has no instruction for it, so it is computed from
/// products of half words, none of which overflows.
uint32_t high_word(uint32_t left, uint32_t right) {
  const uint32_t left_low = left & 0xffff, left_high = left >> 16;
  const uint32_t right_low = right & 0xffff, right_high = right >> 16;
  const uint32_t middle = left_high * right_low + (left_low * right_low >> 16);
  const uint32_t other = left_low * right_high + (middle & 0xffff);
  return left_high * right_high + (middle >> 16) + (other >> 16);
}

/// Computes the ticks exactly: a fifth of `x` is the high word of its product with 2^32 / 5,
/// rounded up by 4 / 5, as long as 4 `x` is below 2^32.
uint32_t ticks_in(uint32_t cycles) {
  constexpr uint32_t fives = port::cycles_per_tick / 5;
  static_assert(fives >= 4 && fives * 5 == port::cycles_per_tick, "a tick must be a multiple of 20 cycles");
  return high_word(cycles / fives, 858993460);
}

/// Moves on to the running tick. Call it with interrupts masked.
void catch_up() {
  const uint32_t ticks = ticks_in(port::cycle_count() - last_count);
  last_tick += ticks;
  last_count += ticks * port::cycles_per_tick;
}

/// Sets CCOMPARE0. Writing it also clears its interrupt. (Xtensa ISA Reference Manual, 4.4.6)
void compare_with(uint32_t count) {
  __asm__ volatile("wsr.ccompare0 %0\n\tesync" ::"a"(count) : "memory");
}

/// Runs before main, so that a program without this file leaves the timer alone.
__attribute__((constructor)) void start() {
  uint32_t enabled;
  last_count = port::cycle_count();
  compare_with(last_count + longest_cycles);
  __asm__ volatile("rsr.intenable %0" : "=a"(enabled));
  __asm__ volatile("wsr.intenable %0\n\tesync" ::"a"(enabled | timer_interrupt) : "memory");
}

}  // namespace

extern "C" {

uint32_t baton_xtensa_now() {
  const port::critical mask;
  catch_up();
  return last_tick;
}

/// A time that is past, or passes meanwhile, does not interrupt before the longest time: the caller
/// reads the clock.
void baton_xtensa_alarm(uint32_t due) {
  const port::critical mask;
  catch_up();
  const uint32_t ahead = due - last_tick;
  const bool is_near = ahead < longest_cycles / port::cycles_per_tick;
  compare_with(last_count + (is_near ? ahead * port::cycles_per_tick : longest_cycles));
}

/// Called when the due time has come, or when the longest time has passed without one.
__attribute__((used, externally_visible)) void baton_xtensa_timer() {
  catch_up();
  compare_with(last_count + longest_cycles);
  port::attention::raise();
}

}  // extern "C"
