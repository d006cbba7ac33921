// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/received_bytes.hpp>
#include <baton/devices/uart.hpp>
#include <baton/hosted/serial_in.hpp>
#include <stdint.h>
#include <stdio.h>

namespace baton {
namespace board {

/// Standard input and output as a serial line.
///
/// Shape    a store of 32 received bytes. The transmitter always has room.
/// Context  the signal is set by the signal handler of `serial_in`.
/// Errors   at the end of the input no more bytes come; the program is not notified.
struct hosted_uart {
  static constexpr bool counts_lost = true;

  static void open() {
    serial_in::listen([](uint8_t byte) {
      the().received.push(byte);
      if (isr_signal* const signal = the().listener) signal->set();
    });
  }
  static status write(uint8_t byte) {
    putchar(byte);
    return status::ok;
  }
  static status read(uint8_t& byte) { return the().received.read(byte); }
  static void listen(isr_signal* signal) { the().listener = signal; }

 private:
  struct state {
    devices::received_bytes<32> received;
    isr_signal* volatile listener = nullptr;
  };

  static state& the() {
    static state s;
    return s;
  }
};

}  // namespace board
}  // namespace baton
