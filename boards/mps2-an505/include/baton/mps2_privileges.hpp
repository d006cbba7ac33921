// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace board {
namespace detail {

/// Lets tasks without privileges reach the devices that the MPU leaves open to them. Until then the
/// protection controllers of the peripherals drop such an access without a fault.
///
/// Context  privileged. The DMA controllers stay closed: one of them would reach all memory.
/// Source   Arm CoreLink SSE-200 TRM, "Secure Privilege Control Block"; Application Note 505,
///          "Peripheral protection controllers"
inline void open_devices() {
  volatile uint32_t* const block = reinterpret_cast<volatile uint32_t*>(0x50080000);
  enum : uint8_t {
    ahb_expansion_0 = 0xa0 / 4,
    apb_0 = 0xb0 / 4,
    apb_expansion_1 = 0xc4 / 4,
    apb_expansion_2 = 0xc8 / 4
  };
  constexpr uint32_t all = 0xffff;
  block[ahb_expansion_0] = all;  // GPIO
  block[apb_0] = all;            // timers
  block[apb_expansion_1] = all;  // UART, SPI, I2C
  block[apb_expansion_2] = all;  // FPGAIO, with the LEDs
}

}  // namespace detail
}  // namespace board
}  // namespace baton
