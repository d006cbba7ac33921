// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/protection.hpp>
#include <stdint.h>

#ifdef BATON_HAS_MPU

namespace baton {
namespace cortex_m_tasks {

/// The registers of the MPU. Base and attributes are those of the region that `number` selects.
struct mpu_registers {
  volatile uint32_t type, control, number, base, attributes;
};
inline mpu_registers& unit() {
  return *reinterpret_cast<mpu_registers*>(0xE000ED90);
}

/// Sets the regions that are the same for every task.
void set_common_regions();

}  // namespace cortex_m_tasks
}  // namespace baton

#endif
