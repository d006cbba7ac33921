// SPDX-License-Identifier: MIT
//
// Sets the common regions of an MPU of ARMv7-M.
#include <baton/cortex_m_tasks/mpu_registers.hpp>

#if BATON_HAS_MPU == 7

namespace baton {
namespace cortex_m_tasks {

namespace {

void set(const region& r) {
  unit().base = r.base;
  unit().attributes = r.attributes;
}

/// Makes a region from `start`, which is a multiple of any region's size, to `end`, rounded up: a
/// region has eight parts, each of which can be left out. The linker script puts nothing else
/// there.
region from_start(uint32_t number, uint32_t start, uint32_t end, uint32_t attributes) {
  const uint32_t least_with_parts = 8;
  uint32_t power = mpu::power_that_holds(end - start);
  if (power < least_with_parts) power = least_with_parts;
  const uint32_t part = 1u << (power - 3);
  const uint32_t used = (end - start + part - 1) / part;
  return mpu::make(number, start, power, attributes | (0xff00 & (0xff00u << used)));
}

/// Makes the greatest region between `start` and `end` that ends at `end`.
region before(uint32_t number, uint32_t start, uint32_t end, uint32_t attributes) {
  uint32_t power = 5;
  while (end % (2u << power) == 0 && end - start >= 2u << power) ++power;
  return mpu::make(number, end - (1u << power), power, attributes);
}

region variables() {
  const auto address = port_detail::address_of_symbol;
  return from_start(mpu::of_shared, address(__shared_start), address(__shared_end),
                    mpu::for_all | mpu::no_execute | mpu::memory);
}
region devices() {
  return mpu::make(mpu::of_devices, 0x40000000, 29, mpu::for_all | mpu::no_execute | mpu::device);
}

}  // namespace

#ifdef BATON_PRIVATE_MEMORY
region all_variables() {
  return variables();
}
region all_devices() {
  return devices();
}
#endif

void set_common_regions() {
  const auto address = port_detail::address_of_symbol;
  set(from_start(0, address(__code_start), address(__code_end), mpu::to_read | mpu::memory));
  set(variables());
  set(devices());
  // The memory below the kernel's is a guard, because a stack is the lowest object there.
  set(before(3, address(__shared_end), address(__kernel_start), mpu::for_kernel_only | mpu::no_execute | mpu::memory));
  // A null pointer points to the vector table.
  if (address(__constants_start) != address(__code_start)) {
    set(before(4, address(__code_start), address(__constants_start),
               mpu::for_kernel_to_read | mpu::no_execute | mpu::memory));
  }
}

}  // namespace cortex_m_tasks
}  // namespace baton

#endif
