// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards.
///
/// Shape    no state; `Base` is the address of its first register, `Interrupt` the receiver's
///          number.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Source   Arm Cortex-M System Design Kit TRM (DDI 0479), "APB UART"
template <uint32_t Base, uint8_t Interrupt, uint32_t Baud = 115200>
struct cmsdk_uart {
  static constexpr uint8_t interrupt = Interrupt;

  static void start() {
    at(baud_divider) = BATON_CPU_HZ / Baud;
    at(control) = transmits | receives;
  }
  static void put(char c) {
    while (at(state) & transmitter_full) {
    }
    at(data) = static_cast<uint8_t>(c);
  }
  static void drain() {
    while (at(state) & transmitter_full) {
    }
  }

  static void listen() { at(control) = transmits | receives | receive_interrupts; }
  static bool has_byte() {
    at(interrupt_status) = receive_pending;
    return (at(state) & receiver_full) != 0;
  }
  static uint8_t take() { return static_cast<uint8_t>(at(data)); }

 private:
  enum : uint8_t { data = 0x00, state = 0x04, control = 0x08, interrupt_status = 0x0c, baud_divider = 0x10 };
  enum : uint8_t { transmitter_full = 1, receiver_full = 2 };
  enum : uint8_t { transmits = 1, receives = 2, receive_interrupts = 8 };
  enum : uint8_t { receive_pending = 2 };

  static volatile uint32_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint32_t*>(Base + offset); }
};

}  // namespace board
}  // namespace baton
