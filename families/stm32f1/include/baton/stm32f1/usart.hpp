// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// A USART of an STM32F1 as a console: 8 data bits, no parity, 1 stop bit.
///
/// Shape    no state; `Base` is the address of its first register, `Interrupt` its number. The
///          receiver holds one byte.
/// Units    `Baud` in bits per second; the bus runs as fast as the processor.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Source   STM32F100xx reference manual (RM0041), "Universal synchronous asynchronous receiver
///          transmitter"
template <uint32_t Base, uint8_t Interrupt, uint32_t Baud = 115200>
struct stm32f1_usart {
  static constexpr uint8_t interrupt = Interrupt;

  static void start() {
    at(divider) = (BATON_CPU_HZ + Baud / 2) / Baud;
    at(control) = is_on | transmits | receives;
  }
  static void put(char c) {
    while (!(at(status) & transmitter_empty)) {
    }
    at(data) = static_cast<uint8_t>(c);
  }
  static void drain() {
    while (!(at(status) & transmission_complete)) {
    }
  }

  static void listen() { at(control) = is_on | transmits | receives | receive_interrupts; }
  static bool has_byte() { return (at(status) & receiver_full) != 0; }
  static uint8_t take() { return static_cast<uint8_t>(at(data)); }

 private:
  enum : uint8_t { status = 0x00, data = 0x04, divider = 0x08, control = 0x0c };
  enum : uint8_t { receiver_full = 1 << 5, transmission_complete = 1 << 6, transmitter_empty = 1 << 7 };
  enum : uint16_t { receives = 1 << 2, transmits = 1 << 3, receive_interrupts = 1 << 5, is_on = 1 << 13 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(Base + offset); }
};

}  // namespace board
}  // namespace baton
