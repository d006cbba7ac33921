// SPDX-License-Identifier: MIT
//
// CCOUNT is the clock, and the software interrupt 7 that of the pins. The machine has no receiver.
#include <baton/board_console.hpp>
#include <variant.hpp>

namespace {

constexpr uint32_t cycles_per_us = F_CPU / 1000000;
constexpr uint32_t pin_interrupt = 1u << 7;

uint64_t passed_us;
uint32_t counted;  // CCOUNT at passed_us

}  // namespace

namespace test_core {

void start() {
  __asm__ volatile("wsr.intenable %0\n\tesync" ::"a"(pin_interrupt) : "memory");
}

/// CCOUNT wraps after 107 s, and a sketch reads the clock more often.
uint64_t elapsed_us() {
  const masked mask;
  uint32_t count;
  __asm__ volatile("rsr.ccount %0" : "=a"(count));
  const uint32_t us = (count - counted) / cycles_per_us;
  counted += us * cycles_per_us;
  passed_us += us;
  return passed_us;
}

void pend_pin_interrupt() {
  __asm__ volatile("wsr.intset %0\n\tesync" ::"a"(pin_interrupt) : "memory");
}

}  // namespace test_core

extern "C" void baton_xtensa_interrupt() {
  __asm__ volatile("wsr.intclear %0\n\tesync" ::"a"(pin_interrupt) : "memory");
  test_core::on_pin_interrupt();
}
