// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The UART of an nRF51 as a console: 115200 bits per second, 8 data bits, no parity, 1 stop bit.
///
/// Shape    no state; `Transmit` and `Receive` are pins of port P0, `Interrupt` is the peripheral's
///          number. The receiver holds six bytes.
/// Context  `put()` waits until its byte has left: do not call it from an interrupt.
/// Source   nRF51 Series Reference Manual, "Universal Asynchronous Receiver/Transmitter (UART)"
template <uint8_t Transmit, uint8_t Receive, uint8_t Interrupt>
struct nrf51_uart {
  static constexpr uint8_t interrupt = Interrupt;

  static void start() {
    output_high(Transmit);  // the line's idle state, until the UART drives it
    at(pin_transmit) = Transmit;
    at(pin_receive) = Receive;
    at(baud) = 0x01d7e000;
    at(enable) = 4;
    at(start_transmitter) = 1;
    at(start_receiver) = 1;
  }
  static void put(char c) {
    at(transmitted) = 0;
    at(transmit) = static_cast<uint8_t>(c);
    while (!at(transmitted)) {
    }
  }
  static void drain() {}

  static void listen() { at(enable_interrupts) = 1 << 2; }  // byte received
  static bool has_byte() { return at(received) != 0; }

  /// Clears the event first, because reading a byte lets the next byte raise it again.
  static uint8_t take() {
    at(received) = 0;
    return static_cast<uint8_t>(at(receive));
  }

 private:
  enum : uint16_t { start_receiver = 0x000, start_transmitter = 0x008, received = 0x108, transmitted = 0x11c };
  enum : uint16_t { enable_interrupts = 0x304, enable = 0x500, pin_transmit = 0x50c, pin_receive = 0x514 };
  enum : uint16_t { receive = 0x518, transmit = 0x51c, baud = 0x524 };

  static volatile uint32_t& at(uint16_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x40002000 + offset); }
  static void output_high(uint8_t pin) {
    *reinterpret_cast<volatile uint32_t*>(0x50000508) = 1u << pin;  // OUTSET
    *reinterpret_cast<volatile uint32_t*>(0x50000518) = 1u << pin;  // DIRSET
  }
};

}  // namespace board
}  // namespace baton
