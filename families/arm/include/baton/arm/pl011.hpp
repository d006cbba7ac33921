// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// Arm's PrimeCell UART (PL011) as a console: 8 data bits, no parity, 1 stop bit, with its 16-byte
/// FIFOs.
///
/// Shape    no state; `Base` is the address of its first register.
/// Units    `ClockHz` is the frequency of its baud rate generator: 24 MHz on Arm's own boards.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Source   PrimeCell UART (PL011) TRM (DDI 0183), "Programmers Model"
template <uintptr_t Base, uint32_t Baud = 115200, uint32_t ClockHz = 24000000>
struct pl011 {
  static void start() {
    at(control) = 0;
    at(integer_divisor) = quarter_divisor / 64;
    at(fractional_divisor) = quarter_divisor % 64;
    at(line_control) = eight_bits | with_fifo;
    at(control) = enabled | transmits | receives;
  }
  static void put(char c) {
    while (at(flags) & transmitter_full) {
    }
    at(data) = static_cast<uint8_t>(c);
  }
  static void drain() {
    while (at(flags) & busy) {
    }
  }

  /// Lets the receiver interrupt when its FIFO fills, and when fewer bytes have waited for a while.
  static void listen() { at(interrupt_mask) = receive_interrupt | timeout_interrupt; }
  static bool has_byte() { return (at(flags) & receiver_empty) == 0; }
  static uint8_t take() { return static_cast<uint8_t>(at(data)); }

 private:
  enum : uint8_t {
    data = 0x00,
    flags = 0x18,
    integer_divisor = 0x24,
    fractional_divisor = 0x28,
    line_control = 0x2c,
    control = 0x30,
    interrupt_mask = 0x38
  };
  enum : uint32_t { busy = 1u << 3, receiver_empty = 1u << 4, transmitter_full = 1u << 5 };  // flags
  enum : uint32_t { with_fifo = 1u << 4, eight_bits = 3u << 5 };                             // line_control
  enum : uint32_t { enabled = 1u << 0, transmits = 1u << 8, receives = 1u << 9 };            // control
  enum : uint32_t { receive_interrupt = 1u << 4, timeout_interrupt = 1u << 6 };              // interrupt_mask

  /// In units of a sixteenth of a bit, in 64ths.
  static constexpr uint32_t quarter_divisor = (4 * ClockHz + Baud / 2) / Baud;

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(Base + offset); }
};

/// The console's receiver as an interrupt. `Uart` is a pl011, `let_through` the board's function
/// that enables the interrupt; `<baton/board_serial.hpp>` defines the handler.
///
/// Shape    one handler per program.
/// Context  the handler runs in the receive interrupt, with interrupts masked: let it store the
///          byte and set an `isr_signal`.
template <typename Uart, void (*let_through)()>
struct arm_serial_in {
  /// Calls `on_byte` for each byte from now on.
  static void listen(void (*on_byte)(uint8_t)) {
    handler() = on_byte;
    Uart::listen();
    let_through();
  }

  static void on_interrupt() {
    while (Uart::has_byte()) handler()(Uart::take());
  }

 private:
  static void (*&handler())(uint8_t) {
    static void (*on_byte)(uint8_t);
    return on_byte;
  }
};

}  // namespace board
}  // namespace baton
