// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/protection.hpp>
#include <baton/kernel/spi/interruptible.hpp>
#include <baton/kernel/spi/same_macros.hpp>
#ifdef BATON_HAS_MPU
#include <baton/kernel/types.hpp>
#else
#include <baton/kernel/spi/unprotected.hpp>
#endif
#include <baton/port.hpp>
#include <stdint.h>

extern "C" void baton_kernel_copy(void* to, const void* from, baton::kernel::word bytes);

namespace baton {

/// A task on a Cortex-M. It runs in thread mode on the process stack, and a call of the kernel is
/// an `svc`.
///
/// Context  on chips with an MPU of ARMv7-M or ARMv8-M, a task without privileges reads code and
///          constants, reads and writes ordinary variables, its own stack and the chip's
///          peripherals, and touches nothing else: no BATON_KERNEL_MEMORY, no stack of another task
///          in it, no register of the processor's own. On other chips (Cortex-M0) nothing is
///          protected.
/// Source   ARMv6-M, ARMv7-M and ARMv8-M Architecture Reference Manuals, "Exception model".
struct kernel_port : kernel::spi::interruptible
#ifndef BATON_HAS_MPU
    ,
                     kernel::spi::unprotected
#endif
{
  /// The state of a task that does not run.
  struct context : cortex_m_tasks::protected_registers {
#ifdef BATON_HAS_MPU
#ifdef BATON_PRIVATE_MEMORY
    memory_window shared_window() const { return reach; }
#else
    static memory_window shared_window() { return shared_memory(); }
#endif
    bool has_privileges() const { return (control & 1) == 0; }
#endif
#ifdef __ARM_FP
    uint32_t floats[16] = {};  // s16 to s31
#endif
  };

  /// The registers that the processor pushes when a task traps: r0 to r3, r12 and lr hold the call.
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
    uint32_t program_counter;
    uint32_t status;
  };

#ifdef BATON_HAS_MPU
  static constexpr bool protects_memory = true;
  static constexpr bool guards_stacks = true;
  static constexpr kernel::word alignment_of_stack(kernel::word bytes) { return mpu::alignment(bytes); }
  static constexpr bool is_stack_size(kernel::word bytes) { return mpu::is_size(bytes); }
  static BATON_INLINE bool may_access(const context& c, const void* p, kernel::word bytes, bool writes) {
    const uint32_t address = reinterpret_cast<uint32_t>(p);
    return BATON_LIKELY(c.stack.holds(address, bytes)) || may_access_elsewhere(c, address, bytes, writes);
  }

  static bool may_be_stack(const void* p, kernel::word bytes) {
    return task_memory().holds(reinterpret_cast<uint32_t>(p), bytes);
  }
  static bool is_program(void (*entry)(void*), const char* name) {
    return constants().holds(reinterpret_cast<uint32_t>(entry)) && (!name || constants().holds_name(name));
  }

#ifdef BATON_PRIVATE_MEMORY
  static bool is_reach(const kernel::reach& r) {
    return !r.is_private || (cortex_m_tasks::is_region(r.shared) && !shared_memory().meets(r.shared) &&
                             cortex_m_tasks::is_region(r.device) && cortex_m_tasks::are_apart(r.shared, r.device));
  }
  /// A piece that lies among the variables of all would be everybody's.
  static kernel::error why_not(const kernel::task_description& d) {
    const bool is_open = d.touches.is_private && !d.is_privileged && shared_memory().meets({d.stack, d.stack_bytes});
    return is_open ? kernel::error::bad_stack : kernel::error::none;
  }
  static bool may_give(const context& maker, const kernel::reach& r) {
    if (!r.is_private) return cortex_m_tasks::touches_all_variables(maker.reach, maker.device);
    return has(maker.reach, r.shared) && has(maker.device, r.device);
  }
#endif

  /// Tests whether the frame of a trap is on the task's own stack, where no other task changes it
  /// while the task waits.
  static BATON_INLINE bool is_own(const context& c, const request& frame) {
    const uint32_t address = reinterpret_cast<uint32_t>(&frame);
    return BATON_LIKELY(c.stack.holds(address)) || c.has_privileges() || c.own.holds(address, sizeof(request));
  }
#else
  static constexpr bool guards_stacks = false;
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }
#endif
  static constexpr kernel::word least_stack = 128;
  static constexpr kernel::word stack_alignment = 8;

  static inline void prepare(context& c, const kernel::task_description& d);
#ifdef __ARM_ARCH_6M__
  static void copy(void* to, const void* from, kernel::word bytes) { baton_kernel_copy(to, from, bytes); }
#else
  /// Copies one word directly, at any alignment.
  static BATON_INLINE void copy(void* to, const void* from, kernel::word bytes) {
    struct __attribute__((packed, may_alias)) any_word {
      uint32_t value;
    };
    if (BATON_LIKELY(bytes == sizeof(any_word))) {
      *static_cast<any_word*>(to) = *static_cast<const any_word*>(from);
    } else {
      baton_kernel_copy(to, from, bytes);
    }
  }
#endif
  static void alarm(tick due) { baton_cortex_m_kernel_alarm(due); }

#ifdef BATON_HAS_MPU
 private:
#ifdef BATON_PRIVATE_MEMORY
  template <typename Holder>
  static bool has(const Holder& maker, const kernel::memory_piece& p) {
    return p.bytes == 0 || maker.holds(reinterpret_cast<uint32_t>(p.start), p.bytes);
  }
#endif

  /// Allows a task with privileges everything but null.
  static BATON_NOINLINE bool may_access_elsewhere(const context& c, uint32_t address, kernel::word bytes, bool writes) {
    if (bytes == 0) return true;
    if (bytes > kernel::longest_message) return false;
    if (c.has_privileges()) return memory_window(1, 0).holds(address, bytes);
    return c.shared_window().holds(address, bytes) || (!writes && constants().holds(address, bytes)) ||
           c.own.holds(address, bytes);
  }
#endif
};

namespace port_detail {

/// A task returns to this function at its end: see <baton/kernel_switch.hpp>.
template <typename Unused>
void end_task();

}  // namespace port_detail

inline void kernel_port::prepare(context& c, const kernel::task_description& d) {
  constexpr uint32_t thumb = 1u << 24;
  constexpr uint32_t without_privileges = 1, process_stack = 2, to_a_task = 0xfffffffd;
  const uint32_t stack = reinterpret_cast<uint32_t>(d.stack);
  const uint32_t end = (stack + d.stack_bytes) & ~7u;
  request& frame = *reinterpret_cast<request*>(end - sizeof(request));
  frame = request{};
  frame.first = reinterpret_cast<uint32_t>(d.argument);
  frame.timeout = reinterpret_cast<uint32_t>(&port_detail::end_task<void>);  // lr
  frame.program_counter = reinterpret_cast<uint32_t>(d.entry) & ~1u;
  frame.status = thumb;
  c.stack_pointer = end - sizeof(request);
  c.control = process_stack | (d.is_privileged ? 0 : without_privileges);
  c.return_code = to_a_task;
#ifdef BATON_HAS_MPU
  c.mpu = mpu::own_region;
  c.own =
      d.is_privileged ? cortex_m_tasks::guard_of_stack(stack) : cortex_m_tasks::region_of_stack(stack, d.stack_bytes);
  c.stack = memory_window(stack, d.stack_bytes <= kernel::longest_message ? stack + d.stack_bytes : stack);
#ifdef BATON_PRIVATE_MEMORY
  for (uint32_t& r : c.saved) r = 0;  // they were those of the last task in the slot
#ifdef __ARM_FP
  for (uint32_t& r : c.floats) r = 0;
#endif
  const kernel::reach& r = d.touches;
  if (!r.is_private) {
    c.shared = cortex_m_tasks::all_variables();
    c.device = cortex_m_tasks::all_devices();
    c.reach = shared_memory();
  } else {
    const uint32_t shared = reinterpret_cast<uint32_t>(r.shared.start);
    c.shared = cortex_m_tasks::region_of(mpu::of_shared, shared, r.shared.bytes, mpu::memory);
    c.device = cortex_m_tasks::region_of(mpu::of_devices, reinterpret_cast<uint32_t>(r.device.start), r.device.bytes,
                                         mpu::device);
    c.reach = memory_window(shared, shared + r.shared.bytes);
  }
#endif
  cortex_m_tasks::complete(c, stack);
#endif
}

}  // namespace baton
