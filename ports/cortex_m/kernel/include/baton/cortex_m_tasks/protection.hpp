// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/memory.hpp>
#include <baton/cortex_m_tasks/registers.hpp>

#if BATON_HAS_MPU == 8
#include <baton/cortex_m_tasks/pmsav8.hpp>
#elif BATON_HAS_MPU == 7
#include <baton/cortex_m_tasks/pmsav7.hpp>
#endif

namespace baton {
namespace cortex_m_tasks {

#if BATON_HAS_MPU == 8
/// A switch finds the protection before the registers, and on ARMv7-M behind them.
struct protected_registers : protection, registers {};
#elif BATON_HAS_MPU == 7
struct protected_registers : registers, protection {};
#else
struct protected_registers : registers {};
#endif

#if defined(BATON_HAS_MPU) && defined(BATON_PRIVATE_MEMORY)

/// True for the reach of a task that is not private.
inline bool touches_all_variables(const memory_window& shared, const region& device) {
  const region all = all_devices();
  return shared == shared_memory() && device.base == all.base && device.attributes == all.attributes;
}

#endif

}  // namespace cortex_m_tasks
}  // namespace baton
