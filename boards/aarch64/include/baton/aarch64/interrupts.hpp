// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {

/// The interrupt controller, version 2.
///
/// Source   Arm Generic Interrupt Controller Architecture Specification 2.0 (IHI 0048), chapter 4;
///          addresses and numbers as in QEMU's machine `virt` (hw/arm/virt.c).
struct gic {
  static constexpr uint16_t timer = 27;  // private to each core: the virtual timer
  static constexpr uint16_t uart = 33;   // shared: the PL011
  static constexpr uint16_t none_pending = 1023;

  static void start() {
    of_core(0x04) = 0xff;  // masks no priority
    of_core(0x00) = 1;
    of_all(0x000) = 1;
  }

  /// Routes an interrupt to the first core.
  static void let_through(uint16_t number) {
    reinterpret_cast<volatile uint8_t*>(distributor + 0x800)[number] = 1;
    of_all(0x100 + number / 32 * 4) = 1u << number % 32;  // a zero changes nothing
  }

  /// Returns the pending interrupt, for `end()`; its ten lowest bits are the number.
  static uint32_t acknowledge() { return of_core(0x0c); }
  static void end(uint32_t acknowledged) { of_core(0x10) = acknowledged; }

 private:
  static constexpr uintptr_t distributor = 0x08000000;
  static constexpr uintptr_t core_interface = 0x08010000;

  static volatile uint32_t& of_all(uintptr_t offset) {
    return *reinterpret_cast<volatile uint32_t*>(distributor + offset);
  }
  static volatile uint32_t& of_core(uintptr_t offset) {
    return *reinterpret_cast<volatile uint32_t*>(core_interface + offset);
  }
};

}  // namespace board
}  // namespace baton
