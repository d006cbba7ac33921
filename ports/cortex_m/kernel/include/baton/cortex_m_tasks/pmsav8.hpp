// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/memory.hpp>
#include <baton/kernel/types.hpp>
#include <stdint.h>

#ifdef BATON_HAS_MPU

/// The MPU of ARMv8-M. Its regions begin and end at any multiple of 32 bytes, and an access to
/// memory of two of them faults, the kernel's too: so no two ever overlap here.
/// Source   ARMv8-M Architecture Reference Manual, "Protected Memory System Architecture, PMSAv8".
namespace baton {

/// The values of the two registers of a region: the first address and the rights; the last 32
/// bytes, the type of memory, and whether the region is on.
struct region {
  uint32_t base;
  uint32_t attributes;

  uint32_t first() const { return base & ~31u; }
  uint32_t last() const { return attributes & ~31u; }

  /// Tests whether the region holds the memory, on or off.
  bool holds(uint32_t address, uint32_t bytes) const {
    return memory_window(first(), last() + 32).holds(address, bytes);
  }
  bool overlaps(const region& other) const { return first() <= other.last() && other.first() <= last(); }
};

namespace mpu {

/// The registers of the selected region: MPU_RBAR, MPU_RLAR. Those of the next three follow.
constexpr uint32_t own_region = 0xe000ed9c;

enum : uint32_t { is_on = 1, no_execute = 1, for_all = 1u << 1, to_read = 3u << 1 };

/// Numbers of types of memory, and the types: normal, write-back; device without gathering.
enum : uint32_t { memory = 0, device = 1u << 1, types = 0x04ff };

/// Makes a region of at least 32 bytes.
inline region make(uint32_t start, uint32_t bytes, uint32_t rights, uint32_t type) {
  return region{start | rights, ((start + bytes - 1) & ~31u) | type | is_on};
}

/// Holds nothing.
constexpr region nothing = {32, 0};

/// The selected region, from which on a switch writes those of a task.
constexpr uint32_t of_task = 4;

constexpr uint32_t of_shared = 1, of_devices = 2;

constexpr bool is_size(uint32_t bytes) {
  return bytes % 32 == 0;
}
constexpr uint32_t alignment(uint32_t) {
  return 32;
}

}  // namespace mpu

namespace cortex_m_tasks {

/// The part of a context that a switch puts into the MPU, and with which the kernel compares a
/// task's pointers.
/// The registers of the task follow. A switch loads what lies before them, from `control` on, at
/// once.
struct protection {
  memory_window stack;  // empty if no message is as long as the stack
#ifdef BATON_PRIVATE_MEMORY
  memory_window reach;  // the memory of `shared`
#endif
  uint32_t control = 0;      // bit 0: without privileges
  uint32_t limit = 0;        // the lowest address to which the stack pointer may go
  uint32_t return_code = 0;  // selects the stack, and tells whether the frame has floating-point registers
#ifdef BATON_PRIVATE_MEMORY
  region shared = {};  // ordinary variables, or the piece that a private task shares
  region device = {};  // all devices, or those of a private task
#endif
  region own = {};   // its stack; off where another region holds that, and with privileges
  uint32_t mpu = 0;  // the register to write these to, kept here so that a switch loads it with the rest
};

/// The regions of a task that touches all that tasks may.
inline region all_variables() {
  const uint32_t start = port_detail::address_of_symbol(__shared_start);
  return mpu::make(start, port_detail::address_of_symbol(__shared_end) - start, mpu::for_all | mpu::no_execute,
                   mpu::memory);
}
inline region all_devices() {
  return mpu::make(0x40000000, 0x20000000, mpu::for_all | mpu::no_execute, mpu::device);
}

/// Makes the region of the running task's stack, which is the task's own.
inline region region_of_stack(uint32_t stack, uint32_t bytes) {
  return mpu::make(stack, bytes, mpu::for_all | mpu::no_execute, mpu::memory);
}

/// No region guards a stack: the stack pointer has a limit.
inline region guard_of_stack(uint32_t) {
  return mpu::nothing;
}

/// Sets the limit of the stack pointer, and keeps the regions of a task apart.
inline void complete(protection& p, uint32_t stack) {
  p.limit = stack;
#ifdef BATON_PRIVATE_MEMORY
  const bool is_held = p.own.overlaps(p.shared) || p.own.overlaps(p.device);
#else
  const bool is_held = p.own.overlaps(all_variables());
#endif
  if (is_held) p.own.attributes &= ~uint32_t{mpu::is_on};
}

#ifdef BATON_PRIVATE_MEMORY

/// True if a region can hold exactly this piece.
inline bool is_region(const kernel::memory_piece& p) {
  const uint32_t start = reinterpret_cast<uint32_t>(p.start);
  return p.bytes == 0 || (start % 32 == 0 && p.bytes % 32 == 0 && start + (p.bytes - 1) >= start);
}

/// Makes a region that a private task has for itself, or switches it off.
inline region region_of(uint32_t number, uint32_t start, uint32_t bytes, uint32_t type) {
  static_cast<void>(number);
  return bytes == 0 ? mpu::nothing : mpu::make(start, bytes, mpu::for_all | mpu::no_execute, type);
}

/// True if two pieces, each of which can be a region, overlap neither each other nor code.
inline bool are_apart(const kernel::memory_piece& a, const kernel::memory_piece& b) {
  const region first = region_of(mpu::of_shared, reinterpret_cast<uint32_t>(a.start), a.bytes, mpu::memory);
  const region second = region_of(mpu::of_devices, reinterpret_cast<uint32_t>(b.start), b.bytes, mpu::device);
  const uint32_t start = port_detail::address_of_symbol(__code_start);
  const region code = mpu::make(start, port_detail::address_of_symbol(__code_end) - start, mpu::to_read, mpu::memory);
  return !first.overlaps(second) && !first.overlaps(code) && !second.overlaps(code);
}

#endif

}  // namespace cortex_m_tasks
}  // namespace baton

#endif
