// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/interrupts.hpp>
#include <baton/cortex_m_interrupts.h>
#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The pin GPIO`Number`, from 0 to 29.
///
/// Shape    no state but the listener, and that only where the program listens.
/// Context  a program that listens defines `baton_pin_handler`, the interrupt of all pins, which
///          calls `on_interrupt()` of each pin that listens.
/// Cost     a store or a load each; `configure` four stores, `listen` five.
/// Source   RP2040 data sheet, "SIO", "GPIO": "List of Registers" of IO_BANK0 and PADS_BANK0.
template <uint8_t Number>
struct rp2040_pin {
  static_assert(Number < 30, "baton: the RP2040 has the pins 0 to 29");

  static void configure(devices::pin_mode mode) {
    at(pad) = 1 << 6 | 1 << 4 | 1 << 1 | (mode == devices::pin_mode::input_pullup ? 1 << 3 : 0);  // input, 4 mA
    write(mode == devices::pin_mode::output_high);
    at(sio + (devices::is_output(mode) ? enable_set : enable_clear)) = bit;
    at(function) = 5;  // SIO
  }

  static bool read() { return at(sio + input) & bit; }

  static void write(bool level) { at(sio + (level ? output_set : output_clear)) = bit; }

  static void listen(isr_signal* signal) {
    at(enabled_edges + clear_bits) = edges;
    listener = signal;
    BATON_COMPILER_BARRIER();
    if (!signal) return;
    at(raw_edges) = edges;
    at(enabled_edges + set_bits) = edges;
    enable_interrupt(BATON_PIN_INTERRUPT);
  }

  /// Sets the signal if the level has changed.
  /// Context  the pins' interrupt.
  static void on_interrupt() {
    if (!(at(pending_edges) & edges)) return;
    at(raw_edges) = edges;
    listener->set();
  }

 private:
  enum : uint32_t { sio = 0xd0000000, io_bank = 0x40014000, set_bits = 0x2000, clear_bits = 0x3000 };
  enum : uint32_t { input = 0x04, output_set = 0x14, output_clear = 0x18, enable_set = 0x24, enable_clear = 0x28 };
  enum : uint32_t { pad = 0x4001c004 + 4 * Number, function = io_bank + 4 + 8 * Number, word = Number / 8 * 4 };
  enum : uint32_t { raw_edges = io_bank + 0xf0 + word, enabled_edges = io_bank + 0x100 + word };
  enum : uint32_t { pending_edges = io_bank + 0x120 + word };
  static constexpr uint32_t bit = 1u << Number;
  static constexpr uint32_t edges = 0xcu << Number % 8 * 4;  // falling and rising

  static volatile uint32_t& at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

  static isr_signal* listener;
};

template <uint8_t Number>
isr_signal* rp2040_pin<Number>::listener;

}  // namespace board
}  // namespace baton
