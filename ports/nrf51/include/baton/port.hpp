// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bare_metal/cortex_m.hpp>

namespace baton {

/// Core's platform on an nRF51, whose Cortex-M0 has no SysTick. Its TIMER0 has 32 bits and
/// compares.
///
/// Units    a tick is 1 us at any frequency of the processor; it wraps after 71 minutes, so a
///          deadline lies at most 35 ahead.
/// Context  the port owns TIMER0, its interrupt 8 and its channels 0 and 1. Interrupts are on, as
///          they are after a reset. Only the processor sleeps: the timer keeps the chip's 16 MHz
///          running.
/// Cost     the device wakes for an alarm and for nothing else.
/// Source   nRF51 Series Reference Manual, "Timer/counter (TIMER)".
struct port : cortex_m_port {};

}  // namespace baton
