// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/interrupts.hpp>
#include <baton/devices/received_bytes.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// A PL011 as a serial line. `Uart` is an `rp2040_uart`; the console may use the same one.
///
/// Shape    a store of `Slots` received bytes behind the hardware's 32. The transmitter holds 32.
/// Context  the program defines `baton_uart_handler`, which calls `on_interrupt()`. Bytes that the
///          hardware lost or damaged count as lost.
template <typename Uart, uint8_t Slots = 32>
struct rp2040_serial_line {
  static constexpr bool counts_lost = true;

  static void open() {
    Uart::start();
    Uart::listen();
    enable_interrupt(Uart::interrupt);
  }

  static status write(uint8_t byte) {
    if (!Uart::has_room()) {
      Uart::interrupt_at_room(true);
      return status::full;
    }
    Uart::send(byte);
    return status::ok;
  }

  static status read(uint8_t& byte) { return received.read(byte); }

  static void listen(isr_signal* signal) {
    port::critical mask;
    listener = signal;
  }

  /// Context  the UART's interrupt.
  static void on_interrupt() {
    while (Uart::has_byte()) {
      const uint16_t word = Uart::take_word();
      if (word & Uart::has_lost) received.lose();
      if (word & Uart::is_damaged) {
        received.lose();
      } else {
        received.push(static_cast<uint8_t>(word));
      }
    }
    if (Uart::has_room()) Uart::interrupt_at_room(false);
    if (listener) listener->set();
  }

 private:
  static devices::received_bytes<Slots> received;
  static isr_signal* listener;
};

template <typename Uart, uint8_t Slots>
devices::received_bytes<Slots> rp2040_serial_line<Uart, Slots>::received;
template <typename Uart, uint8_t Slots>
isr_signal* rp2040_serial_line<Uart, Slots>::listener;

}  // namespace board
}  // namespace baton
