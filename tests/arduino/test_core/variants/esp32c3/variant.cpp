// SPDX-License-Identifier: MIT
//
// The machine timer is the clock, and its interrupt that of the pins: a compare value of 0 is past.
#include <baton/ns16550.hpp>
#include <variant.hpp>

extern "C" volatile uint32_t baton_mtime[2];
extern "C" volatile uint32_t baton_mtimecmp[2];

namespace {

using uart = baton::board::ns16550<0x10000000>;  // the console

constexpr uint32_t timer_interrupt = 1u << 7;  // bit of mie

void compare_with(uint32_t both_words) {
  baton_mtimecmp[0] = both_words;
  baton_mtimecmp[1] = both_words;
}

}  // namespace

namespace test_core {

void start() {
  uart::start();
  interrupts();
}

/// The high word is read again until it is the same before and after the low word.
uint64_t elapsed_us() {
  uint32_t high, low;
  do {
    high = baton_mtime[1];
    low = baton_mtime[0];
  } while (high != baton_mtime[1]);
  return (static_cast<uint64_t>(high) << 32 | low) / (F_CPU / 1000000);
}

void pend_pin_interrupt() {
  compare_with(0);
  __asm__ volatile("csrs mie, %0" ::"r"(timer_interrupt) : "memory");
}

}  // namespace test_core

int HardwareSerial::available() {
  return uart::has_byte();
}
int HardwareSerial::read() {
  return available() ? uart::take() : -1;
}

extern "C" __attribute__((interrupt)) void baton_riscv32_timer() {
  compare_with(~0u);
  test_core::on_pin_interrupt();
}
