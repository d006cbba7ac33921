// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/received_bytes.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A serial line over a board's console, for a board without a transmitter of its own behind the
/// contract. `Console` has `put(char)`, and `Receiver` is a board's `serial_in`.
///
/// Shape    a store of `Slots` received bytes.
/// Context  `write()` waits as `Console::put()` does, so it is never `full`. The signal is set in
///          the receiver's interrupt. A byte that the hardware lost is not counted.
template <typename Console, typename Receiver, uint8_t Slots = 32>
struct console_line {
  static constexpr bool counts_lost = true;

  static void open() {
    Receiver::listen([](uint8_t byte) {
      the().received.push(byte);
      if (isr_signal* const signal = the().listener) signal->set();
    });
  }
  static status write(uint8_t byte) {
    Console::put(static_cast<char>(byte));
    return status::ok;
  }
  static status read(uint8_t& byte) { return the().received.read(byte); }
  static void listen(isr_signal* signal) { the().listener = signal; }

 private:
  struct state {
    received_bytes<Slots> received;
    isr_signal* volatile listener = nullptr;
  };

  template <typename T>
  struct only {
    static T instance;
  };
  static state& the() { return only<state>::instance; }
};

template <typename Console, typename Receiver, uint8_t Slots>
constexpr bool console_line<Console, Receiver, Slots>::counts_lost;
template <typename Console, typename Receiver, uint8_t Slots>
template <typename T>
T console_line<Console, Receiver, Slots>::only<T>::instance;

}  // namespace devices
}  // namespace baton
