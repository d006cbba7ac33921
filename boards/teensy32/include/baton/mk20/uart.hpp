// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_interrupts.h>
#include <stdint.h>

namespace baton {
namespace board {

/// UART0 of a Kinetis K20 as a console: 8 data bits, no parity, 1 stop bit.
///
/// Shape    no state. The FIFOs are off, so the receiver holds one byte.
/// Units    `Baud` in bits per second; the UART runs at the processor's clock.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Source   K20 Sub-Family Reference Manual (K20P64M72SF1RM), "Universal Asynchronous
///          Receiver/Transmitter"
template <uint32_t Baud = 115200>
struct mk20_uart {
  static constexpr uint8_t interrupt = BATON_UART_INTERRUPT;

  static void start() {
    constexpr uint32_t divider = (BATON_CPU_HZ * 2 + Baud / 2) / Baud;  // of 16 times the rate, in 32nds
    at(divider_high) = static_cast<uint8_t>(divider / 32 >> 8);
    at(divider_low) = static_cast<uint8_t>(divider / 32);
    at(divider_part) = divider % 32;
    at(control) = transmits | receives;
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

  static void listen() { at(control) = transmits | receives | receive_interrupts; }
  static bool has_byte() { return (at(status) & receiver_full) != 0; }
  static uint8_t take() { return at(data); }

 private:
  enum : uint8_t { divider_high = 0, divider_low = 1, control = 3, status = 4, data = 7, divider_part = 10 };
  enum : uint8_t { receives = 1 << 2, transmits = 1 << 3, receive_interrupts = 1 << 5 };
  enum : uint8_t { receiver_full = 1 << 5, transmission_complete = 1 << 6, transmitter_empty = 1 << 7 };

  static volatile uint8_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint8_t*>(0x4006a000 + offset); }
};

}  // namespace board
}  // namespace baton
