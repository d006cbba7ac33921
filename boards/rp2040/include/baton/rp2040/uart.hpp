// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_interrupts.h>
#include <stdint.h>

namespace baton {
namespace board {

/// UART0 as a console on GPIO0 and GPIO1: 8 data bits, no parity, 1 stop bit.
///
/// Shape    no state. Both directions have a FIFO of 32 bytes.
/// Units    `Baud` in bits per second.
/// Context  `put()` waits for room: do not call it from an interrupt. The receiver interrupts once
///          four bytes have come, or after a pause of 32 bits, so a handler takes all bytes that
///          there are.
/// Source   RP2040 data sheet, "UART"; PrimeCell UART (PL011) TRM
template <uint32_t Baud = 115200>
struct rp2040_uart {
  static constexpr uint8_t interrupt = BATON_UART_INTERRUPT;

  static void start() {
    constexpr uint32_t divider = (BATON_CPU_HZ * 4 + Baud / 2) / Baud;  // of 16 times the rate, in 64ths
    at(divider_whole) = divider / 64;
    at(divider_part) = divider % 64;
    at(line) = 3 << 5 | 1 << 4;         // 8 bits, FIFOs; this write also makes the divider valid
    at(control) = 1 << 9 | 1 << 8 | 1;  // enables receiver, transmitter and UART
  }
  static void put(char c) {
    while (!has_room()) {
    }
    send(static_cast<uint8_t>(c));
  }
  static bool has_room() { return (at(flags) & transmitter_full) == 0; }
  static void send(uint8_t byte) { at(data) = byte; }
  static void drain() {
    while (at(flags) & busy) {
    }
  }

  static void listen() { at(interrupt_mask) = 1 << 4 | 1 << 6; }  // byte received, and the pause
  static bool has_byte() { return (at(flags) & receiver_empty) == 0; }
  static uint8_t take() { return static_cast<uint8_t>(at(data)); }

  /// A byte with its errors: bytes were lost, or it is damaged itself.
  enum : uint16_t { has_lost = 1 << 11, is_damaged = 7 << 8 };
  static uint16_t take_word() { return static_cast<uint16_t>(at(data)); }

  /// Lets the transmitter interrupt when its FIFO is half empty.
  static void interrupt_at_room(bool does) {
    alias_of_mask(does ? 0x2000 : 0x3000) = 1 << 5;  // the aliases that set and clear bits
  }

 private:
  enum : uint8_t { data = 0x00, flags = 0x18, divider_whole = 0x24, divider_part = 0x28, line = 0x2c, control = 0x30 };
  enum : uint8_t { interrupt_mask = 0x38 };
  enum : uint8_t { busy = 1 << 3, receiver_empty = 1 << 4, transmitter_full = 1 << 5 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x40034000 + offset); }
  static volatile uint32_t& alias_of_mask(uint16_t alias) {
    return *reinterpret_cast<volatile uint32_t*>(0x40034000 + interrupt_mask + alias);
  }
};

}  // namespace board
}  // namespace baton
