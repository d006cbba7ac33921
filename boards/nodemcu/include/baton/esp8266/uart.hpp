// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// UART0 of an ESP8266 as a console on GPIO1: 8 data bits, no parity, 1 stop bit.
///
/// Shape    no state. The transmitter has a FIFO of 128 bytes.
/// Units    `Baud` in bits per second; the UART runs at 80 MHz at any frequency of the processor.
/// Context  `put()` waits for room: do not call it from an interrupt.
/// Source   ESP8266 Technical Reference, "UART Registers"
template <uint32_t Baud = 115200>
struct esp8266_uart {
  static void start() {
    drain();  // the boot ROM's own text, at another rate
    at(divider) = (80000000 + Baud / 2) / Baud;
    at(format) = 3 << 2 | 1 << 4;
  }
  static void put(char c) {
    while ((at(status) >> 16 & 0xff) > 126) {
    }
    at(fifo) = static_cast<uint8_t>(c);
  }
  static void drain() {
    while (at(status) & (0xffu << 16 | 0xfu << 24)) {  // waiting bytes, and the byte on the wire
    }
  }

 private:
  enum : uint8_t { fifo = 0x00, divider = 0x14, status = 0x1c, format = 0x20 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x60000000 + offset); }
};

}  // namespace board
}  // namespace baton
