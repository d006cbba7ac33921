// SPDX-License-Identifier: MIT
//
// SysTick interrupts every millisecond, and PendSV is the interrupt of the pins.
#include <baton/cortex_m_interrupts.h>
#include <baton/stm32f1/usart.hpp>
#include <variant.hpp>

namespace {

using uart = baton::board::stm32f1_usart<0x40013800, BATON_UART_INTERRUPT>;  // USART1, the console

constexpr uint32_t cycles_per_us = F_CPU / 1000000;
constexpr uint32_t period = 1000 * cycles_per_us;

struct systick {
  volatile uint32_t control, reload, value;
};
systick& timer() {
  return *reinterpret_cast<systick*>(0xE000E010);
}
volatile uint32_t& interrupt_control() {
  return *reinterpret_cast<volatile uint32_t*>(0xE000ED04);
}
constexpr uint32_t systick_pending = 1u << 26, pend_pend_sv = 1u << 28;

volatile uint32_t periods;

/// The counter, read again while it is zero: only the next cycle tells whether its end is pending.
uint32_t counted_down() {
  uint32_t value;
  do {
    value = timer().value;
  } while (value == 0);
  return value;
}

}  // namespace

namespace test_core {

void start() {
  uart::start();
  timer().reload = period - 1;
  timer().value = 0;
  timer().control = 7;  // counts processor cycles, interrupts, runs
  interrupts();
}

uint64_t elapsed_us() {
  const masked mask;
  uint32_t value = counted_down(), before = periods;
  if (interrupt_control() & systick_pending) value = counted_down(), ++before;
  return before * static_cast<uint64_t>(1000) + (period - value) / cycles_per_us;
}

void pend_pin_interrupt() {
  interrupt_control() = pend_pend_sv;
}

}  // namespace test_core

int HardwareSerial::available() {
  return uart::has_byte();
}
int HardwareSerial::read() {
  return available() ? uart::take() : -1;
}

extern "C" {

void SysTick_Handler() {
  periods = periods + 1;
}
void baton_pend_sv_handler() {
  test_core::on_pin_interrupt();
}
}
