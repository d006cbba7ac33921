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

#ifdef BATON_PRIVATE_MEMORY

static_assert(__builtin_offsetof(baton::kernel_port::context, rights) == 128, "src/trap.S takes a task's rights there");

/// Sets the PMP's entry of code and constants, and switches the others off. The rights of the first
/// task switch the first four on.
void protect_memory() {
  const word start = reinterpret_cast<word>(__code_start), bytes = reinterpret_cast<word>(__code_end) - start;
  const word power = word{1} << (32 - __builtin_clz(bytes - 1));
  __asm__ volatile(
      "csrw pmpcfg0, zero\n\t"
      "csrw pmpcfg1, zero\n\t"
      "csrw pmpcfg2, zero\n\t"
      "csrw pmpcfg3, zero\n\t"
      "csrw pmpaddr0, %0" ::"r"(baton::riscv32_tasks::pmp::address_of_power(start, power)));
}

/// Tests whether the running task has touched memory below its stack in a frame that begins there.
bool is_overflow(word address, word sp) {
  const word stack = reinterpret_cast<word>(baton_riscv32_kernel->running->stack);
  return address >= sp && address < stack;
}

#endif

}  // namespace

#ifdef BATON_PRIVATE_MEMORY
/// Tells whether a task may access memory that is not its stack, or more than a message of its
/// stack, which is that of the address register `own`. What it shares lies from `start` on.
extern "C" __attribute__((used, externally_visible)) bool baton_riscv32_may_access_elsewhere(word address, word bytes,
                                                                                             bool writes, word start,
                                                                                             word size, word own) {
  using namespace baton::riscv32_tasks;
  if (bytes == 0) return true;
  if (bytes > baton::kernel::longest_message) return false;
  return window(start, start + size).holds(address, bytes) || pmp::window_of(own).holds(address, bytes) ||
         (!writes && code_and_constants().holds(address, bytes));
}
#endif

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
  baton::kernel::fault why = is_access ? baton::kernel::fault::bad_access : baton::kernel::fault::other;
#ifdef BATON_PRIVATE_MEMORY
  if (is_access && is_overflow(value, sp)) why = baton::kernel::fault::stack_overflow;
#endif
  const baton::kernel::fault_registers registers = {pc, sp, ra};
  go_on(baton::kernel::fail(*baton_riscv32_kernel, why, is_access ? value : pc, &registers));
}

void baton_riscv32_run(kernel_state& m) {
#ifdef BATON_PRIVATE_MEMORY
  protect_memory();
#else
  // User mode may access all memory, too.
  __asm__ volatile(
      "csrw pmpaddr0, %0\n\t"
      "csrw pmpcfg0, %1" ::"r"(-1),
      "r"(0x1f));
#endif
  baton_riscv32_kernel = &m;
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    const port::critical masked;
    if (tcb* next = baton::kernel::handle_pending(m)) baton_riscv32_begin(&next->context.call);
  });
}
