// SPDX-License-Identifier: MIT
//
// Sets the common regions of an MPU of ARMv8-M. The kernel's memory has none, so it is the kernel's
// alone; and what lies between that and ordinary variables belongs to no task.
#include <baton/cortex_m_tasks/mpu_registers.hpp>

#if BATON_HAS_MPU == 8

namespace baton {
namespace cortex_m_tasks {

namespace {

void set(uint32_t number, const region& r) {
  unit().number = number;
  unit().base = r.base;
  unit().attributes = r.attributes;
}

volatile uint32_t& types_of_memory() {
  return *reinterpret_cast<volatile uint32_t*>(0xE000EDC0);
}

}  // namespace

/// A region that was on before would overlap one of these.
void set_common_regions() {
  const uint32_t regions = unit().type >> 8 & 0xff;
  for (uint32_t number = 0; number != regions; ++number) set(number, mpu::nothing);
  types_of_memory() = mpu::types;
  const uint32_t code = port_detail::address_of_symbol(__code_start);
  set(0, mpu::make(code, port_detail::address_of_symbol(__code_end) - code, mpu::to_read, mpu::memory));
#ifndef BATON_PRIVATE_MEMORY
  set(mpu::of_shared, all_variables());
  set(mpu::of_devices, all_devices());
#endif
  unit().number = mpu::of_task;
}

}  // namespace cortex_m_tasks
}  // namespace baton

#endif
