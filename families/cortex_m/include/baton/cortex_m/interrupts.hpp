// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// Enables one of the chip's interrupts, at the highest priority.
///
/// Source   ARMv6-M Architecture Reference Manual, "NVIC_ISER"
inline void enable_interrupt(uint8_t number) {
  volatile uint32_t* enable = reinterpret_cast<volatile uint32_t*>(0xE000E100);
  enable[number / 32] = 1u << number % 32;
}

/// Sets the priority of one of the chip's interrupts.
///
/// Units    0 is the most urgent. A chip has only the upper bits, at least two of them.
/// Source   ARMv6-M Architecture Reference Manual, "NVIC_IPR": accessible by words.
inline void set_interrupt_priority(uint8_t number, uint8_t priority) {
  volatile uint32_t* priorities = reinterpret_cast<volatile uint32_t*>(0xE000E400);
  const uint8_t shift = static_cast<uint8_t>(number % 4 * 8);
  priorities[number / 4] = (priorities[number / 4] & ~(0xffu << shift)) | static_cast<uint32_t>(priority) << shift;
}

/// Pends one of the chip's interrupts, which comes a few instructions later.
///
/// Context  code with privileges: without them the access is a fault. An interrupt that pends
///          itself comes again when it has ended.
/// Source   ARMv6-M Architecture Reference Manual, "NVIC_ISPR"
inline void pend_interrupt(uint8_t number) {
  volatile uint32_t* pend = reinterpret_cast<volatile uint32_t*>(0xE000E200);
  pend[number / 32] = 1u << number % 32;
}

/// The console's receiver as an interrupt. `Uart` has `listen()` and `take()`;
/// `<baton/board_serial.hpp>` defines the handler.
///
/// Shape    one handler per program.
/// Context  the handler runs in the receive interrupt: let it store the byte and set an
///          `isr_signal`.
template <typename Uart>
struct cortex_m_serial_in {
  /// Calls `on_byte` for each byte from now on.
  static void listen(void (*on_byte)(uint8_t)) {
    handler() = on_byte;
    Uart::listen();
    enable_interrupt(Uart::interrupt);
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
