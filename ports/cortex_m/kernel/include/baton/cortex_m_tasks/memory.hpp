// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

/// Defines the memory that a task may touch, on a chip with an MPU. BATON_WITHOUT_MPU is for chips
/// of ARMv7-M that have none.
#if (defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)) && !defined(BATON_WITHOUT_MPU)
#define BATON_HAS_MPU
#endif

#define BATON_TEXT_OF(n) #n
#define BATON_TEXT_OF_VALUE(n) BATON_TEXT_OF(n)

#ifdef __FILE_NAME__
#define BATON_NAME_OF_FILE __FILE_NAME__ "."
#else
#define BATON_NAME_OF_FILE
#endif

/// A section of its own for each object, whose name begins unlike that of any variable. The linker
/// script gathers these sections by alignment; two objects of one section would be padded to the
/// larger alignment.
#define BATON_SECTION_OF(kind) \
  section(".bss.." kind "." BATON_NAME_OF_FILE BATON_TEXT_OF_VALUE(__LINE__) "." BATON_TEXT_OF_VALUE(__COUNTER__))

/// BATON_KEPT_MEMORY puts an object where a reset leaves it alone, and every task may touch it.
/// After power-on it holds anything; it has neither an initializer nor a constructor.
#define BATON_KEPT_MEMORY __attribute__((section(".kept")))

/// BATON_KERNEL_MEMORY puts an object where tasks without privileges cannot touch it.
/// BATON_TASK_MEMORY puts it there, too, as memory that such a task may give to a child: for
/// stacks. The object begins as zeros, so it has no initializer but a constructor.
#ifdef BATON_HAS_MPU
#define BATON_KERNEL_MEMORY __attribute__((BATON_SECTION_OF("kernel")))
#define BATON_TASK_MEMORY __attribute__((BATON_SECTION_OF("tasks")))
#endif

#ifdef BATON_HAS_MPU

/// Symbols of the linker script families/cortex_m/sections.ld.
extern "C" {
extern char __code_start[], __code_end[], __constants_start[];
extern char __shared_start[], __shared_end[], __kernel_start[];
extern char __tasks_start[], __tasks_end[];
}

namespace baton {

/// A piece of memory that a task may touch.
class memory_window {
 public:
  constexpr memory_window() = default;
  constexpr memory_window(uint32_t start, uint32_t end) : start_(start), bytes_(end - start) {}

  BATON_INLINE bool holds(uint32_t address) const { return address - start_ < bytes_; }
  friend bool operator==(const memory_window& a, const memory_window& b) {
    return a.start_ == b.start_ && a.bytes_ == b.bytes_;
  }
  BATON_INLINE bool holds(uint32_t address, uint32_t bytes) const {
    uint32_t end;
    return !__builtin_add_overflow(address - start_, bytes, &end) && end <= bytes_;
  }

 private:
  uint32_t start_ = 0;
  uint32_t bytes_ = 0;
};

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

/// The values of the two registers of a region of the MPU.
struct region {
  uint32_t base;
  uint32_t attributes;

  /// Tests whether the region, which must not leave parts out, holds the memory.
  bool holds(uint32_t address, uint32_t bytes) const {
    const uint32_t start = base & ~31u;
    return memory_window(start, start + (2u << (attributes >> 1 & 31))).holds(address, bytes);
  }
};

/// Source   ARMv7-M Architecture Reference Manual, "Protected Memory System Architecture, PMSAv7".
namespace mpu {

/// Base and attributes of the selected region: MPU_RBAR, MPU_RASR.
constexpr uint32_t own_region = 0xe000ed9c;

enum : uint32_t { is_on = 1, no_execute = 1u << 28, takes_base = 1u << 4 };
enum : uint32_t { for_kernel_only = 1u << 24, for_all = 3u << 24, for_kernel_to_read = 5u << 24, to_read = 6u << 24 };
enum : uint32_t { memory = 1u << 18 | 1u << 17, device = 1u << 18 | 1u << 16 };

/// The smallest n with 2^n >= bytes.
inline uint32_t power_that_holds(uint32_t bytes) {
  return bytes <= 32 ? 5 : 32 - static_cast<uint32_t>(__builtin_clz(bytes - 1));
}

/// Makes a region. Where regions overlap, the greatest `number` decides. The base is a multiple of
/// 2^`power`.
inline region make(uint32_t number, uint32_t base, uint32_t power, uint32_t attributes) {
  return region{base | takes_base | number, attributes | (power - 1) << 1 | is_on};
}

constexpr uint32_t of_shared = 1, of_devices = 2, of_task = 7;

}  // namespace mpu

/// Makes the region of the running task's stack, which is the task's own.
inline region region_of_stack(uint32_t stack, uint32_t bytes) {
  return mpu::make(mpu::of_task, stack, mpu::power_that_holds(bytes), mpu::for_all | mpu::no_execute | mpu::memory);
}

/// Makes the guard of a stack of a task that may write anywhere else: no task writes to its lowest
/// words.
inline region guard_of_stack(uint32_t stack) {
  return mpu::make(mpu::of_task, (stack + 31) & ~31u, 5, mpu::for_kernel_to_read | mpu::no_execute | mpu::memory);
}

#ifdef BATON_PRIVATE_MEMORY

namespace cortex_m_tasks {

/// The regions of a task that touches all that tasks may.
region all_variables();
region all_devices();

/// Makes a region that a private task has for itself, or switches it off.
inline region region_of(uint32_t number, uint32_t start, uint32_t bytes, uint32_t type) {
  if (bytes == 0) return region{number | mpu::takes_base, 0};
  return mpu::make(number, start, mpu::power_that_holds(bytes), mpu::for_all | mpu::no_execute | type);
}

/// True for the reach of a task that is not private.
inline bool touches_all_variables(const memory_window& shared, const region& device) {
  const region all = all_devices();
  return shared == shared_memory() && device.base == all.base && device.attributes == all.attributes;
}

}  // namespace cortex_m_tasks

#endif

}  // namespace baton

#endif
