// SPDX-License-Identifier: MIT
//
// The calls that have a function of their own. None of these functions returns: they load the next
// task's registers, so nothing has to be saved for a caller. src/trap.S calls them on an empty
// stack.
#if defined(BATON_PRIVATE_MEMORY) && defined(__OPTIMIZE__)
// A program with private tasks compiles this file by its own options. What the test of a pointer
// needs if it fails is not worked out before.
#pragma GCC optimize("O2", "no-code-hoisting")
#endif
#include <baton/kernel/dispatch.hpp>
#include <baton/kernel/spi/entrances.hpp>
#include <stdint.h>

BATON_SPI_TRAPS_ARE_HERE();

using baton::port;
using baton::kernel::call_number;
using baton::kernel::kernel_state;
using baton::kernel::request;
using baton::kernel::tcb;
using baton::kernel::word;

#define TRAP extern "C" __attribute__((used, externally_visible, noreturn))

extern "C" {

__attribute__((noreturn)) void baton_armv5_resume(request* registers);
__attribute__((noreturn)) void baton_armv5_leave();
}

// Lets a task access its own domains alone, through a register that the compiler leaves to it: the
// context begins with them.
#ifdef BATON_PRIVATE_MEMORY
#define BATON_LOAD_DOMAINS(context) \
  "ldr r3, [" context               \
  ", #-16]\n\t"                     \
  "mcr p15, 0, r3, c3, c0, 0\n\t"
#else
#define BATON_LOAD_DOMAINS(context)
#endif

namespace {

/// Ends the call, and goes on with the task that made it.
__attribute__((noreturn)) BATON_INLINE void return_to(request* self) {
  __asm__ volatile(BATON_LOAD_DOMAINS("%0")  //
                   "mov sp, %0\n\t"
                   "ldmia sp, {r0-r12, pc}^" ::"r"(self)
                   : "r3", "memory");
  __builtin_unreachable();
}

/// Switches from a call of one task to another task. Saves the registers that the call has not
/// saved.
__attribute__((noreturn)) BATON_INLINE void switch_to(request* from, tcb* next) {
  register request* to __asm__("r5") = &next->context.call;
  __asm__ volatile(
      "mrs r3, spsr\n\t"
      "stmdb %0, {r3, sp, lr}^\n\t"
      "ldmdb %1, {sp, lr}^\n\t" BATON_LOAD_DOMAINS("%1")
      "ldr r3, [%1, #-12]\n\t"  // the instruction after a load of the user's registers must not touch banked ones
      "msr spsr_cxsf, r3\n\t"
      "mov sp, %1\n\t"
      "ldmia sp, {r0-r12, pc}^" ::"r"(from),
      "r"(to)
      : "r3", "memory");
  __builtin_unreachable();
}

}  // namespace

/// Ends a call after which there is more to do than to go on with a task.
TRAP void baton_armv5_leave_call(kernel_state& m, tcb* self, tcb* next) {
  request* from = &self->context.call;
  next = baton::kernel::spi::check_guard(m, self, next);
  if (next == self) return_to(from);
  if (next) switch_to(from, next);
  __asm__ volatile(
      "mrs r3, spsr\n\t"
      "stmdb %0, {r3, sp, lr}^" ::"r"(from)
      : "r3", "memory");
  baton_armv5_leave();
}

namespace {

__attribute__((noreturn)) BATON_INLINE void leave_call(kernel_state& m, request* r, tcb* self, tcb* next) {
  if (BATON_UNLIKELY(!next)) baton_armv5_leave_call(m, self, next);
  if (next == self) return_to(r);
  if (BATON_UNLIKELY(!baton::kernel::spi::is_guard_intact(*self))) baton_armv5_leave_call(m, self, next);
  switch_to(r, next);
}

template <call_number N>
__attribute__((noreturn)) BATON_INLINE void trap() {
  register request* r __asm__("r8");
  register kernel_state* m __asm__("r9");
  __asm__ volatile("" : "=r"(r), "=r"(m));
  tcb* self = m->running;
  leave_call(*m, r, self, baton::kernel::handler_of<N>::enter(*m, *r));
}

/// Does a call that never switches to another task, by the same function as `other_call` has, if
/// the program makes it anywhere.
template <call_number N>
__attribute__((noreturn)) BATON_INLINE void trap_and_return() {
  register request* r __asm__("r8");
  register kernel_state* m __asm__("r9");
  __asm__ volatile("" : "=r"(r), "=r"(m));
  baton::kernel::spi::enter_if_linked<N>(*m, *r);
  return_to(r);
}

}  // namespace

// These functions take the task's registers in r8 and the kernel's state in r9, which also survive
// the functions that they call.

TRAP void baton_armv5_send() {
  trap<call_number::send>();
}

TRAP void baton_armv5_receive() {
  trap<call_number::receive>();
}

TRAP void baton_armv5_reply() {
  trap<call_number::reply>();
}

TRAP void baton_armv5_reply_receive() {
  trap<call_number::reply_receive>();
}

TRAP void baton_armv5_yield() {
  trap<call_number::yield>();
}

TRAP void baton_armv5_copy_from() {
  trap_and_return<call_number::copy_from>();
}

TRAP void baton_armv5_copy_to() {
  trap_and_return<call_number::copy_to>();
}
