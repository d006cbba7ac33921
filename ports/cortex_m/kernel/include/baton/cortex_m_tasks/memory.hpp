// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/protected_memory.hpp>

/// Defines the memory that a task may touch, on a chip with an MPU. BATON_WITHOUT_MPU is for chips
/// of ARMv7-M and ARMv8-M that have none. The value of BATON_HAS_MPU is the MPU's architecture,
/// PMSAv7 or PMSAv8.
#ifndef BATON_WITHOUT_MPU
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
#define BATON_HAS_MPU 7
#elif defined(__ARM_ARCH_8M_MAIN__)
#define BATON_HAS_MPU 8
#endif
#endif

/// BATON_KEPT_MEMORY puts an object where a reset leaves it alone, and every task may touch it.
/// After power-on it holds anything; it has neither an initializer nor a constructor.
#define BATON_KEPT_MEMORY __attribute__((section(".kept")))

/// BATON_KERNEL_MEMORY puts an object where tasks without privileges cannot touch it.
/// BATON_TASK_MEMORY puts it there, too, as memory that such a task may give to a child: for
/// stacks. The object begins as zeros, so it has no initializer but a constructor.
#ifdef BATON_HAS_MPU
#define BATON_KERNEL_MEMORY __attribute__((BATON_SPI_SECTION_OF("kernel")))
#define BATON_TASK_MEMORY __attribute__((BATON_SPI_SECTION_OF("tasks")))
#endif

#ifdef BATON_HAS_MPU

/// Symbols of the linker script families/cortex_m/sections.ld.
extern "C" {
extern char __code_start[], __code_end[], __constants_start[];
extern char __shared_start[], __shared_end[], __kernel_start[];
extern char __tasks_start[], __tasks_end[];
}

namespace baton {

using memory_window = kernel::spi::memory_window;

namespace port_detail {

BATON_INLINE uint32_t address_of_symbol(const char* symbol) {
  return reinterpret_cast<uint32_t>(symbol);
}

}  // namespace port_detail

/// Returns the memory of ordinary variables, which every task may touch.
BATON_INLINE memory_window shared_memory() {
  return memory_window(port_detail::address_of_symbol(__shared_start), port_detail::address_of_symbol(__shared_end));
}

/// Returns the memory of objects that are declared BATON_TASK_MEMORY.
BATON_INLINE memory_window task_memory() {
  return memory_window(port_detail::address_of_symbol(__tasks_start), port_detail::address_of_symbol(__tasks_end));
}

/// Returns the memory of code and constants. A vector table at address 0 is not part of it, because
/// a null pointer points there.
BATON_INLINE memory_window constants() {
  return memory_window(port_detail::address_of_symbol(__constants_start), port_detail::address_of_symbol(__code_end));
}

}  // namespace baton

#endif
