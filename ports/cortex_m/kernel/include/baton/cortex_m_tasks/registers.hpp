// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/memory.hpp>
#include <stdint.h>

namespace baton {
namespace cortex_m_tasks {

/// The registers of a task that does not run, in the order in which
/// <baton/cortex_m_tasks/switch.hpp> takes them.
struct registers {
  uint32_t stack_pointer = 0;  // of the frame that the processor pushes at an exception
  uint32_t saved[8] = {};      // r4 to r11
#if BATON_HAS_MPU != 8         // there <baton/cortex_m_tasks/pmsav8.hpp> has these
  uint32_t control = 0;        // bit 0: without privileges
  uint32_t return_code = 0;    // selects the stack, and tells whether the frame has floating-point registers
#endif
};

}  // namespace cortex_m_tasks
}  // namespace baton
