// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/received_bytes.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// A USART as a serial line. `Usart` is an `avr_usart`; the console may use the same one.
///
/// Shape    a store of `Slots` received bytes. The transmitter holds two bytes.
/// Context  the program defines the handlers of the USART's receive interrupt, which calls
///          `on_received()`, and of its data register interrupt, which calls `on_room()`. Bytes
///          that the hardware lost or damaged count as lost.
/// Cost     `Slots` + 5 bytes.
template <typename Usart, uint8_t Slots = 32>
struct avr_uart {
  static constexpr bool counts_lost = true;

  static void open() {
    Usart::start();
    Usart::listen();
  }

  static status write(uint8_t byte) {
    if (!Usart::has_room()) {
      Usart::interrupt_at_room(true);
      return status::full;
    }
    Usart::send(byte);
    return status::ok;
  }

  static status read(uint8_t& byte) { return received.read(byte); }

  static void listen(isr_signal* signal) {
    port::critical mask;
    listener = signal;
  }

  /// Context  the receive interrupt.
  static void on_received() {
    const uint8_t errors = Usart::errors();  // those of the byte that is taken next
    const uint8_t byte = Usart::take();
    if (errors) received.lose();
    if (!(errors & Usart::is_damaged)) received.push(byte);
    notify();
  }

  /// Context  the data register interrupt.
  static void on_room() {
    Usart::interrupt_at_room(false);
    notify();
  }

 private:
  static void notify() {
    if (isr_signal* const signal = listener) signal->set();
  }

  static devices::received_bytes<Slots> received;
  static isr_signal* listener;
};

template <typename Usart, uint8_t Slots>
devices::received_bytes<Slots> avr_uart<Usart, Slots>::received;
template <typename Usart, uint8_t Slots>
isr_signal* avr_uart<Usart, Slots>::listener;

}  // namespace board
}  // namespace baton
