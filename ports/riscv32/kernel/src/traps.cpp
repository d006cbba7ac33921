// SPDX-License-Identifier: MIT
//
// The calls that have a function of their own. None of these functions returns: they load the next
// task's registers. src/trap.S calls them on an empty stack, with the fields of the call, the place
// to save them, and the kernel's state.
#include <baton/kernel/dispatch.hpp>
#include <stdint.h>

BATON_SPI_TRAPS_ARE_HERE();

using baton::port;
using baton::tick;
using baton::kernel::call_number;
using baton::kernel::kernel_state;
using baton::kernel::request;
using baton::kernel::tcb;
using baton::kernel::word;

#define TRAP extern "C" __attribute__((used, externally_visible, noreturn))

extern "C" {

__attribute__((noreturn)) void baton_riscv32_resume(request* registers);
__attribute__((noreturn)) void baton_riscv32_leave();
}

namespace {

__attribute__((noreturn)) BATON_INLINE void go_on(tcb* next) {
  if (!next) baton_riscv32_leave();
  baton_riscv32_resume(&next->context.call);
}

/// Returns the address after the `ecall`, to which mepc points.
BATON_INLINE word behind_call() {
  word pc;
  __asm__ volatile("csrr %0, mepc" : "=r"(pc));
  return pc + 4;
}

/// Ends the call, and goes on with the task that made it. A call that receives has a third result.
#define BATON_RETURN(third)     \
  __asm__ volatile(             \
      "csrw mepc, %1\n\t"       \
      "lw s0, 24(a0)\n\t"       \
      "lw sp, 28(a0)\n\t" third \
      "lw a1, 4(a0)\n\t"        \
      "lw a0, 0(a0)\n\t"        \
      "mret" ::"r"(registers),  \
      "r"(behind_call())        \
      : "memory")
__attribute__((noreturn)) BATON_INLINE void return_to(request* self, bool receives) {
  register request* registers __asm__("a0") = self;
  if (receives) {
    BATON_RETURN("lw a2, 8(a0)\n\t");
  } else {
    BATON_RETURN("");
  }
  __builtin_unreachable();
}
#undef BATON_RETURN

}  // namespace

/// Ends a call after which there is more to do than to go on with a task.
TRAP void baton_riscv32_leave_call(kernel_state& m, tcb* self, tcb* next) {
  next = baton::kernel::spi::check_guard(m, self, next);
  if (port::attention::raised()) next = baton::kernel::handle_pending(m);
  if (next == self) return_to(&self->context.call, true);
  self->context.pc = behind_call();
  go_on(next);
}

namespace {

__attribute__((noreturn)) BATON_INLINE void leave_call(kernel_state& m, request* r, tcb* self, tcb* next,
                                                       bool receives) {
  if (BATON_UNLIKELY(!next)) baton_riscv32_leave_call(m, self, next);
  if (BATON_UNLIKELY(port::attention::raised())) baton_riscv32_leave_call(m, self, next);
  if (next == self) return_to(r, receives);
  if (BATON_UNLIKELY(!baton::kernel::spi::is_guard_intact(*self))) baton_riscv32_leave_call(m, self, next);
  self->context.pc = behind_call();
  baton_riscv32_resume(&next->context.call);
}

template <call_number N>
__attribute__((noreturn)) BATON_INLINE void trap(request* r, kernel_state& m) {
  tcb* self = m.running;
  constexpr bool receives = N == call_number::receive || N == call_number::reply_receive;
  leave_call(m, r, self, baton::kernel::handler_of<N>::enter(m, *r), receives);
}

}  // namespace

TRAP void baton_riscv32_send(word first, word second, word out_length, word in, word in_length, tick timeout,
                             request* r, kernel_state& m) {
  *r = request{first, second, out_length, in, in_length, timeout};
  trap<call_number::send>(r, m);
}

TRAP void baton_riscv32_receive(word, word, word, word in, word in_length, tick timeout, request* r, kernel_state& m) {
  r->in = in;
  r->in_length = in_length;
  r->timeout = timeout;
  trap<call_number::receive>(r, m);
}

TRAP void baton_riscv32_reply(word first, word second, word out_length, word, word, tick, request* r, kernel_state& m) {
  r->first = first;
  r->second = second;
  r->out_length = out_length;
  trap<call_number::reply>(r, m);
}

TRAP void baton_riscv32_reply_receive(word first, word second, word out_length, word in, word in_length, tick timeout,
                                      request* r, kernel_state& m) {
  *r = request{first, second, out_length, in, in_length, timeout};
  trap<call_number::reply_receive>(r, m);
}

TRAP void baton_riscv32_yield(word, word, word, word, word, tick, request* r, kernel_state& m) {
  trap<call_number::yield>(r, m);
}
