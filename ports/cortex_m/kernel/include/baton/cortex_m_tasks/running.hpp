// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/entrances.hpp>
#include <stdint.h>

namespace baton {
namespace cortex_m_tasks {

/// The running kernel, and the context in which main goes on while no task is ready.
struct running_kernel {
  kernel::kernel_state* state;
  bool is_entering;  // main is about to enter
  kernel_port::context main;
};

}  // namespace cortex_m_tasks
}  // namespace baton

/// Assembly finds the running kernel here.
extern "C" baton::cortex_m_tasks::running_kernel baton_running_kernel;

namespace baton {
namespace cortex_m_tasks {

/// Two pointers in r0 and r1, as <baton/cortex_m_tasks/switch.hpp> takes them: the context to save,
/// and the context to load.
using context_switch = uint64_t;

/// Handles a call of the running task, whose request is in its frame.
using call = context_switch (*)(kernel::request&, kernel::kernel_state&, kernel::word number);

/// The number of calls, from the first on, that have a path of their own through the kernel.
constexpr uint8_t first_calls = kernel::spi::own_entrances;

BATON_INLINE context_switch go(registers* from, kernel::tcb* next) {
  registers& to = BATON_LIKELY(next != nullptr) ? next->context : baton_running_kernel.main;
  return static_cast<context_switch>(reinterpret_cast<uint32_t>(&to)) << 32 | reinterpret_cast<uint32_t>(from);
}

/// Tests whether the running task may call from its frame. If the frame were not on the task's own
/// stack, other tasks could change its request.
BATON_INLINE bool may_call(const kernel::tcb* self, const kernel::request& r) {
#ifdef BATON_HAS_MPU
  return BATON_LIKELY(kernel_port::is_own(self->context, r));
#else
  static_cast<void>(self);
  static_cast<void>(r);
  return true;
#endif
}

/// Ends a task that may not call.
BATON_INLINE context_switch refuse_call(kernel::request& r, kernel::kernel_state& m) {
  kernel_port::context* from = &m.running->context;
  return go(from, kernel::fail(m, kernel::fault::stack_overflow, reinterpret_cast<uint32_t>(&r)));
}

/// Returns a register of the processor's System Control Block.
inline volatile uint32_t& system_register(uint32_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(0xE000ED00 + offset);
}

/// Handles the calls that have no path of their own.
extern "C" context_switch baton_kernel_other_call(kernel::request& r, kernel::kernel_state& m, kernel::word number);

/// Gives calls the lowest priority. The handler to which a board's vector table leads calls stands
/// in the same file.
void take_calls();

/// Gives faults handlers of their own. The handler to which a board's vector table leads faults
/// stands in the same file.
void catch_faults();

/// Divides the memory among the kernel and the tasks, where there is an MPU.
void protect_memory();
void unprotect_memory();

}  // namespace cortex_m_tasks
}  // namespace baton
