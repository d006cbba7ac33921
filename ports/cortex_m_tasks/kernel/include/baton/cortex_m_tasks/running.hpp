// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/calls.hpp>
#include <stdint.h>

namespace baton {
namespace cortex_m_tasks {

/// The kernel that runs, and where main goes on while no task can.
struct running {
  kernel::machine* machine;
  bool is_entering;  // main wants to
  kernel_port::context main;
};

}  // namespace cortex_m_tasks
}  // namespace baton

/// Assembly takes the kernel from it.
extern "C" baton::cortex_m_tasks::running baton_kernel_state;

namespace baton {
namespace cortex_m_tasks {

/// Two pointers in r0 and r1, as <baton/cortex_m_tasks/switch.hpp> takes them: whose context is saved, and whose is loaded.
using passage = uint64_t;

/// A call of the running task's, whose request is in its frame.
using call = passage (*)(kernel::request&, kernel::machine&, kernel::word number);

/// How many calls, from the first on, have a way of their own through the kernel.
constexpr uint8_t first_calls = 4;

BATON_INLINE passage go(kernel_port::context* from, kernel::task* next) {
  kernel_port::context* to = BATON_LIKELY(next != nullptr) ? &next->context : &baton_kernel_state.main;
  return static_cast<passage>(reinterpret_cast<uint32_t>(to)) << 32 | reinterpret_cast<uint32_t>(from);
}

/// Whether the running task may call from where it is: if its frame were not on its own stack, others could change what it has asked for.
BATON_INLINE bool may_call(const kernel::task* self, const kernel::request& r) {
#ifdef BATON_HAS_MPU
  return BATON_LIKELY(kernel_port::is_own(self->context, r));
#else
  return static_cast<void>(self), static_cast<void>(r), true;
#endif
}

/// Ends a task that may not.
BATON_INLINE passage refuse_call(kernel::request& r, kernel::machine& m) {
  kernel_port::context* from = &m.running->context;
  return go(from, kernel::fail(m, kernel::fault::stack_overflow, reinterpret_cast<uint32_t>(&r)));
}

/// A register of the processor's System Control Block.
inline volatile uint32_t& system_register(uint32_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(0xE000ED00 + offset);
}

/// The calls that have none.
extern "C" passage baton_kernel_other_call(kernel::request& r, kernel::machine& m, kernel::word number);

/// What a board's vector table leads calls to is in the same file.
void take_calls();

/// What a board's vector table leads faults to is in the same file.
void catch_faults();

/// Divides the memory among the kernel and the tasks, where there is an MPU.
void protect_memory();
void unprotect_memory();

}  // namespace cortex_m_tasks
}  // namespace baton
