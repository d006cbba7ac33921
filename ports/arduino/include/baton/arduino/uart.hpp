// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <baton/core.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace arduino {

/// A serial port of the Arduino core: `uart<decltype(Serial), Serial>`.
///
/// Shape    the core's own buffers, 64 bytes each on AVR, and a coroutine that looks at them.
/// Context  the core tells nobody that a byte has come. While something listens, a job looks once a
///          millisecond and sets the signal; it starts with `listen()`. The core drops bytes that
///          find its buffer full without a trace, so `counts_lost` is false. On AVR `write()` asks
///          `availableForWrite()`; other cores may have none that can be relied on, and there
///          `write()` waits as `Serial.write()` does.
/// Cost     a timer, and a look at two counters a millisecond while something listens.
template <typename Port, Port& Object, uint32_t Baud = 115200>
struct uart {
  static constexpr bool counts_lost = false;

  static void open() { Object.begin(Baud); }

  static status write(uint8_t byte) {
    if (!has_room()) {
      the().was_full = true;
      return status::full;
    }
    Object.write(byte);
    return status::ok;
  }

  static status read(uint8_t& byte) {
    const int got = Object.read();
    if (got < 0) return status::empty;
    byte = static_cast<uint8_t>(got);
    return status::ok;
  }

  static void listen(isr_signal* signal) {
    looker& l = the();
    const bool was_off = l.listener == nullptr;
    l.listener = signal;
    if (signal && was_off) l.restart();
  }

 private:
  struct looker : coroutine<looker, timed> {
    point step(point at) {
      BATON_BEGIN();
      while (listener) {
        if (Object.available() > 0 || (was_full && has_room())) {
          was_full = false;
          listener->set();
        }
        BATON_DELAY_MS(1);
      }
      BATON_END();
    }
    isr_signal* listener = nullptr;
    bool was_full = false;
  };

  static bool has_room() {
#if defined(__AVR__)
    return Object.availableForWrite() > 0;
#else
    return true;
#endif
  }

  template <typename T>
  struct only {
    static T instance;
  };
  static looker& the() { return only<looker>::instance; }
};

template <typename Port, Port& Object, uint32_t Baud>
template <typename T>
T uart<Port, Object, Baud>::only<T>::instance;

}  // namespace arduino
}  // namespace baton
