// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/interrupts.hpp>
#include <baton/cortex_m_interrupts.h>
#include <baton/devices/adc.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The converter that all channels share.
///
/// Shape    the listener of the conversion under way.
/// Source   RP2040 data sheet, "ADC and Temperature Sensor"; "Clocks" for CLK_ADC; "Subsystem
///          Resets".
struct rp2040_converter {
  enum : uint32_t { control = 0x00, result = 0x04, fifo_control = 0x08, fifo = 0x0c, interrupts = 0x18 };
  enum : uint32_t { is_ready = 1 << 8, start_one = 1 << 2, enabled = 1 << 0 };

  /// Context  the ADC's interrupt.
  static void on_interrupt() {
    at(interrupts) = 0;
    listener()->set();
  }

  static isr_signal*& listener() {
    static isr_signal* signal;
    return signal;
  }

  /// Gives the converter its clock, the system's 48 MHz, and takes it out of reset.
  static void power_up() {
    if (at(control) & enabled) return;
    register_at(clock_control) = 1 << 11 | 1 << 5;  // on, from the system's PLL
    register_at(resets + clear_bits) = 1;
    for (uint32_t turns = 100000; turns && !(register_at(resets + 8) & 1); --turns) {
    }
    at(control) = enabled;
    for (uint32_t turns = 100000; turns && !(at(control) & is_ready); --turns) {
    }
  }

  /// Empties the FIFO, which interrupts as long as it holds a result.
  static void forget() {
    at(fifo_control) = 1 << 24 | 1 << 0;  // on, and full enough with one result
    while (!(at(fifo_control) & 1 << 8)) {
      const uint32_t old = at(fifo);
      static_cast<void>(old);
    }
  }

  static volatile uint32_t& at(uint32_t offset) { return register_at(0x4004c000 + offset); }
  static volatile uint32_t& register_at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

 private:
  enum : uint32_t { clock_control = 0x40008060, resets = 0x4000c000, clear_bits = 0x3000 };
};

/// The channel `Channel` of the ADC: 0 to 3 are GPIO26 to GPIO29, 4 is the temperature sensor's.
///
/// Units    `full_scale` is the reference voltage. A conversion takes 96 cycles of 48 MHz: 2 us.
/// Context  a program whose channel listens defines `baton_adc_handler`, which calls
///          `rp2040_converter::on_interrupt()`.
template <uint8_t Channel>
struct rp2040_adc {
  static_assert(Channel < 5, "baton: the RP2040 has the channels 0 to 4");

  static constexpr uint16_t full_scale = 4095;

  static status start() {
    converter::power_up();
    if (!(converter::at(converter::control) & converter::is_ready)) return status::full;
    // Without its digital input a pin adds no noise. (RP2040 data sheet, "PADS_BANK0")
    if (Channel < 4) converter::register_at(0x4001c004 + 4 * (26 + Channel)) = 1 << 7;
    converter::forget();
    isr_signal* const signal = listener;
    converter::at(converter::interrupts) = 0;
    if (signal) {
      converter::listener() = signal;
      BATON_COMPILER_BARRIER();
      converter::at(converter::interrupts) = 1;
      enable_interrupt(BATON_ADC_INTERRUPT);
    }
    const uint32_t sensor = Channel == 4 ? 1 << 1 : 0;
    converter::at(converter::control) = Channel << 12 | converter::start_one | converter::enabled | sensor;
    return status::ok;
  }

  static bool ready() {
    const uint32_t wanted = converter::is_ready | converter::enabled;
    return (converter::at(converter::control) & wanted) == wanted;
  }

  static uint16_t read() { return static_cast<uint16_t>(converter::at(converter::result)); }

  static void listen(isr_signal* signal) { listener = signal; }

 private:
  using converter = rp2040_converter;

  static isr_signal* listener;
};

template <uint8_t Channel>
isr_signal* rp2040_adc<Channel>::listener;

}  // namespace board
}  // namespace baton
