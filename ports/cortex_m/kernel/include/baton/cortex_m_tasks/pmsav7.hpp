// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/memory.hpp>
#include <baton/kernel/types.hpp>
#include <stdint.h>

#ifdef BATON_HAS_MPU

/// The MPU of ARMv7-M. Its regions are powers of two and may overlap.
/// Source   ARMv7-M Architecture Reference Manual, "Protected Memory System Architecture, PMSAv7".
namespace baton {

/// The values of the two registers of a region.
struct region {
  uint32_t base;
  uint32_t attributes;

  /// Tests whether the region, which must not leave parts out, holds the memory.
  bool holds(uint32_t address, uint32_t bytes) const {
    const uint32_t start = base & ~31u;
    return memory_window(start, start + (2u << (attributes >> 1 & 31))).holds(address, bytes);
  }
};

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

constexpr bool is_size(uint32_t bytes) {
  return (bytes & (bytes - 1)) == 0;
}
constexpr uint32_t alignment(uint32_t bytes) {
  return bytes;
}

}  // namespace mpu

namespace cortex_m_tasks {

/// The part of a context that a switch puts into the MPU, and with which the kernel compares a
/// task's pointers.
struct protection {
#ifdef BATON_PRIVATE_MEMORY
  region shared = {};  // ordinary variables, or the piece that a private task shares
  region device = {};  // all devices, or those of a private task
#endif
  region own = {};      // its stack, or the guard of its stack
  uint32_t mpu = 0;     // the register to write that to, kept here so that a switch loads it with the rest
  memory_window stack;  // empty if no message is as long as the stack
#ifdef BATON_PRIVATE_MEMORY
  memory_window reach;  // the memory of `shared`
#endif
};

/// Makes the region of the running task's stack, which is the task's own.
inline region region_of_stack(uint32_t stack, uint32_t bytes) {
  return mpu::make(mpu::of_task, stack, mpu::power_that_holds(bytes), mpu::for_all | mpu::no_execute | mpu::memory);
}

/// Makes the guard of a stack of a task that may write anywhere else: no task writes to its lowest
/// words.
inline region guard_of_stack(uint32_t stack) {
  return mpu::make(mpu::of_task, (stack + 31) & ~31u, 5, mpu::for_kernel_to_read | mpu::no_execute | mpu::memory);
}

/// Nothing depends on two of the regions.
inline void complete(protection&, uint32_t) {}

#ifdef BATON_PRIVATE_MEMORY

/// The regions of a task that touches all that tasks may.
region all_variables();
region all_devices();

/// True if a region can hold exactly this piece.
inline bool is_region(const kernel::memory_piece& p) {
  const uint32_t start = reinterpret_cast<uint32_t>(p.start);
  return p.bytes == 0 || (p.bytes >= 32 && mpu::is_size(p.bytes) && start % p.bytes == 0);
}

/// Regions may overlap.
constexpr bool are_apart(const kernel::memory_piece&, const kernel::memory_piece&) {
  return true;
}

/// Makes a region that a private task has for itself, or switches it off.
inline region region_of(uint32_t number, uint32_t start, uint32_t bytes, uint32_t type) {
  if (bytes == 0) return region{number | mpu::takes_base, 0};
  return mpu::make(number, start, mpu::power_that_holds(bytes), mpu::for_all | mpu::no_execute | type);
}

#endif

}  // namespace cortex_m_tasks
}  // namespace baton

#endif
