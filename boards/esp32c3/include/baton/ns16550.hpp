// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// A 16550-compatible UART with byte-wide registers.
///
/// Shape    no state; `Base` is the address of its first register.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Source   National Semiconductor PC16550D data sheet (1995), 8.0 Registers.
template <uint32_t Base>
struct ns16550 {
  /// Sets 8 data bits, no parity, 1 stop bit, and turns the FIFOs on, empty. The rate stays as the
  /// machine has it: an emulated line has none.
  static void start() {
    at(line_control) = eight_bits;
    at(fifo_control) = fifos_on_and_empty;
  }
  static void put(char c) {
    while (!(at(line_status) & can_send)) {
    }
    at(data) = static_cast<uint8_t>(c);
  }
  /// Returns when the last byte has left the wire.
  static void drain() {
    while (!(at(line_status) & has_sent)) {
    }
  }

  static void listen() { at(interrupt_enable) = received; }
  static bool has_byte() { return (at(line_status) & has_received) != 0; }
  static uint8_t take() { return at(data); }

 private:
  enum : uint8_t { data = 0, interrupt_enable = 1, fifo_control = 2, line_control = 3, line_status = 5 };  // registers
  enum : uint8_t { received = 1, fifos_on_and_empty = 7, eight_bits = 3 };
  enum : uint8_t { has_received = 1, can_send = 0x20, has_sent = 0x40 };

  static volatile uint8_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint8_t*>(Base + offset); }
};

}  // namespace board
}  // namespace baton
