// SPDX-License-Identifier: MIT
//
// Switches the MPU on and off. The kernel and tasks with privileges see memory as if there were no
// regions.
#include <baton/cortex_m_tasks/mpu_registers.hpp>
#include <baton/cortex_m_tasks/running.hpp>

namespace baton {
namespace cortex_m_tasks {

#ifdef BATON_HAS_MPU

namespace {

constexpr uint32_t on_with_a_background = 1 << 0 | 1 << 2;

}  // namespace

void protect_memory() {
  BATON_REQUIRE(no_memory_protection_unit, (unit().type >> 8 & 0xff) != 0);
  set_common_regions();
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
