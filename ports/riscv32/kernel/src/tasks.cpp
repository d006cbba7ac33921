// SPDX-License-Identifier: MIT
//
// Handles interrupts and faults of tasks, the calls in which size matters more than speed, and
// main's context.
#include <baton/kernel/dispatch.hpp>
#include <baton/kernel/kernel_state.hpp>
#include <baton/kernel/spi/entrances.hpp>
#include <stdint.h>

using baton::port;
using baton::tick;
using baton::kernel::call_number;
using baton::kernel::kernel_state;
using baton::kernel::request;
using baton::kernel::tcb;
using baton::kernel::word;

static_assert(baton::kernel::calls == 23, "src/trap.S has an entry for each call");
static_assert(static_cast<word>(call_number::exit) == 5, "src/trap.S calls exit where a task returns");

#define TRAP extern "C" __attribute__((used, externally_visible, noreturn))

extern "C" {

extern kernel_state* baton_riscv32_kernel;

void baton_riscv32_begin(request* registers);
__attribute__((noreturn)) void baton_riscv32_resume(request* registers);
__attribute__((noreturn)) void baton_riscv32_leave();
__attribute__((noreturn)) void baton_riscv32_leave_call(kernel_state& m, tcb* self, tcb* next);
}

namespace {

__attribute__((noreturn)) BATON_INLINE void go_on(tcb* next) {
  if (!next) baton_riscv32_leave();
  baton_riscv32_resume(&next->context.call);
}

constexpr uint8_t first_calls = baton::kernel::spi::own_entrances;

}  // namespace

/// Handles a call that has no function of its own.
TRAP void baton_riscv32_other_call(word first, word second, word out_length, word in, word in_length, tick timeout,
                                   request* r, kernel_state& m) {
  const word number = baton::kernel_port::number_of(*r);
  *r = request{first, second, out_length, in, in_length, timeout};
  tcb* self = m.running;
  baton_riscv32_leave_call(m, self, baton::kernel::enter_linked<first_calls>(m, number, *r));
}

/// Called after an interrupt that came while a task ran was handled; all of the task's registers
/// are saved.
TRAP void baton_riscv32_interrupted(request* r) {
  if (!port::attention::raised()) baton_riscv32_resume(r);
  go_on(baton::kernel::handle_pending(*baton_riscv32_kernel));
}

/// Called when the running task has raised an exception. The cause is the value of mcause; `value`
/// is the faulting address or an instruction.
TRAP void baton_riscv32_failed(word cause, word pc, word value, word sp, word ra) {
  constexpr word illegal_instruction = 2, breakpoint = 3;
  const bool is_access = cause != illegal_instruction && cause != breakpoint;
  const baton::kernel::fault why = is_access ? baton::kernel::fault::bad_access : baton::kernel::fault::other;
  const baton::kernel::fault_registers registers = {pc, sp, ra};
  go_on(baton::kernel::fail(*baton_riscv32_kernel, why, is_access ? value : pc, &registers));
}

void baton_riscv32_run(kernel_state& m) {
  // User mode may access all memory, too.
  __asm__ volatile(
      "csrw pmpaddr0, %0\n\t"
      "csrw pmpcfg0, %1" ::"r"(-1),
      "r"(0x1f));
  baton_riscv32_kernel = &m;
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    const port::critical masked;
    if (tcb* next = baton::kernel::handle_pending(m)) baton_riscv32_begin(&next->context.call);
  });
}
