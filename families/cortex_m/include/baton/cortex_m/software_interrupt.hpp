// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m/interrupts.hpp>
#include <baton/cortex_m_interrupts.h>
#include <stdint.h>

/// The handlers of the board's two software interrupts. A program that pends one defines its
/// handler, as `extern "C" __attribute__((used, externally_visible))`.
extern "C" void baton_software_handler();
extern "C" void baton_other_software_handler();

namespace baton {
namespace board {

/// The numbers of two interrupts that no device of the board raises, so that a program may.
constexpr uint8_t software_interrupt = BATON_SOFTWARE_INTERRUPT;
constexpr uint8_t other_software_interrupt = BATON_SOFTWARE_INTERRUPT + 1;

/// Pends one of the chip's interrupts, and lets it come at once: its handler has run when this
/// returns, unless interrupts are masked, or one of the same or a higher priority runs.
///
/// Context  code with privileges.
/// Source   ARMv6-M and ARMv7-M Architecture Reference Manuals, "DSB" and "ISB" about changes of
///          the system control space.
inline void cause_interrupt(uint8_t number) {
  pend_interrupt(number);
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}

}  // namespace board
}  // namespace baton
