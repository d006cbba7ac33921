// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

constexpr const char* name() {
  return "esp32";
}

namespace detail {

/// UART0 as the boot ROM leaves it, on GPIO1: 115200 bits per second, 8 data bits, no parity, 1
/// stop bit. The rate stays right because the processor stays at the crystal's.
///
/// Shape    no state. The transmitter has a FIFO of 128 bytes.
/// Context  `put()` waits for room: do not call it from an interrupt.
/// Source   ESP32 Technical Reference Manual, "UART Controller"; a byte is written at the FIFO's
///          other address, as the chip's errata ask
struct uart {
  static void put(char c) {
    while ((status() >> 16 & 0xff) > 126) {
    }
    *reinterpret_cast<volatile uint32_t*>(0x60000000) = static_cast<uint8_t>(c);
  }
  static void drain() {
    while (status() & (0xffu << 16 | 0xfu << 24)) {  // waiting bytes, and the byte on the wire
    }
  }

 private:
  static uint32_t status() { return *reinterpret_cast<volatile uint32_t*>(0x3ff4001c); }
};

}  // namespace detail

/// A sink of characters, for core's renderers. There is no <baton/board_serial.hpp>.
///
/// Context  waits for the transmitter: call it from a job or main, never from an interrupt.
struct console {
  static void put(char c) { detail::uart::put(c); }
};

/// The LED that many boards have between GPIO2 and ground: it lights while the pin is high.
///
/// Cost     `set` is one store. `toggle` reads, then writes, so an interrupt and a job must not
///          both use it.
/// Source   ESP32 Technical Reference Manual, "IO_MUX and GPIO Matrix"
struct led {
  static void start() {
    at(0x3ff49040) = 2u << 12 | 2u << 10;  // IO_MUX of GPIO2: function GPIO, drive 2
    at(0x3ff44538) = 256;                  // GPIO_FUNC2_OUT_SEL: the output register
    at(enable_set) = bit;
  }
  static void set(bool on) { at(on ? output_set : output_clear) = bit; }
  static void toggle() { set((at(output) & bit) == 0); }

 private:
  static constexpr uint32_t bit = 1u << 2;
  enum : uint32_t { output = 0x3ff44004, output_set = 0x3ff44008, output_clear = 0x3ff4400c, enable_set = 0x3ff44024 };

  static volatile uint32_t& at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }
};

/// Sends pending characters and ends the program: the processor sleeps until a reset.
[[noreturn]] inline void finish(uint8_t) {
  detail::uart::drain();
  for (;;) __asm__ volatile("waiti 15" ::: "memory");
}

}  // namespace board
}  // namespace baton
