// SPDX-License-Identifier: MIT
//
// Sets the regions of the MPU that are the same for every task. The kernel and tasks with
// privileges see memory as if there were no regions.
#include <baton/cortex_m_tasks/running.hpp>

namespace baton {
namespace cortex_m_tasks {

#ifdef BATON_HAS_MPU

namespace {

struct mpu_registers {
  volatile uint32_t type, control, number, base, attributes;
};
mpu_registers& unit() {
  return *reinterpret_cast<mpu_registers*>(0xE000ED90);
}

constexpr uint32_t on_with_a_background = 1 << 0 | 1 << 2;

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

void protect_memory() {
  BATON_REQUIRE(no_memory_protection_unit, (unit().type >> 8 & 0xff) != 0);
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
  unit().control = on_with_a_background;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}

void unprotect_memory() {
  unit().control = 0;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}

#else

void protect_memory() {}
void unprotect_memory() {}

#endif

}  // namespace cortex_m_tasks
}  // namespace baton
