// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/cortex_m.hpp>

namespace baton {

/// Core's platform on Cortex-M. Nearly every M0 to M7 has the SysTick timer, so the port uses
/// nothing that is particular to a chip.
///
/// Units    a tick is 1 us; it wraps after 71 minutes, so a deadline lies at most 35 ahead.
///          `BATON_CPU_HZ`, the frequency that SysTick counts, is a multiple of 1 MHz.
/// Context  the port owns SysTick and its interrupt. Interrupts are on, as they are after a reset.
/// Cost     SysTick has 24 bits and no compare register: an alarm sooner than the running period
///          starts a new one, which moves the clock by the few cycles that the restart takes
///          (counted as five). While the clock runs, it wakes the device every 2^24 cycles,
///          deadline or not.
/// Source   ARMv6-M and ARMv7-M Architecture Reference Manuals, "The system timer, SysTick".
struct port : cortex_m_port {};

}  // namespace baton
