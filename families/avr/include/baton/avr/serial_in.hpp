// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The console's receiver as an interrupt.
///
/// Shape    one handler per program.
/// Context  the handler runs in the receive interrupt, with interrupts off: let it store the byte
///          and set an `isr_signal`. The hardware holds two bytes; a handler that is late by more
///          loses the rest.
/// Cost     an indirect call: the interrupt saves every register that a call may change.
template <typename Usart>
struct avr_serial_in {
  /// Calls `on_byte` for each byte from now on. Bytes arrive once interrupts are on; `start()`
  /// turns them on.
  static void listen(void (*on_byte)(uint8_t)) {
    handler() = on_byte;
    Usart::listen();
  }

  static void on_interrupt() { handler()(Usart::take()); }

 private:
  static void (*&handler())(uint8_t) {
    static void (*on_byte)(uint8_t);
    return on_byte;
  }
};

}  // namespace board
}  // namespace baton
