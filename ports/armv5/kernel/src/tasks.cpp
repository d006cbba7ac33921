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
static_assert(static_cast<word>(call_number::copy_from) == 20, "src/trap.S has its entry there");
static_assert(static_cast<word>(call_number::exit) == 5, "src/trap.S calls exit where a task returns");

#define TRAP extern "C" __attribute__((used, externally_visible, noreturn))

extern "C" {

/// The board's interrupt handler.
void baton_interrupt();

/// The board's interrupt controller, which has an interrupt for software.
/// Source   PrimeCell VIC (PL190) TRM (DDI 0181), "Programmer's model"
extern volatile uint32_t baton_pl190[8];

extern kernel_state* baton_armv5_kernel;

void baton_armv5_begin(request* registers);
__attribute__((noreturn)) void baton_armv5_resume(request* registers);
__attribute__((noreturn)) void baton_armv5_leave();
__attribute__((noreturn)) void baton_armv5_leave_call(kernel_state& m, tcb* self, tcb* next);
}

namespace {

enum : uint8_t {
  pending = 0,
  raise_by_software = 6,
  lower_by_software = 7
};  // words from the controller's first register
constexpr uint32_t software = 1u << 1;

__attribute__((noreturn)) BATON_INLINE void go_on(tcb* next) {
  if (!next) baton_armv5_leave();
  baton_armv5_resume(&next->context.call);
}

#ifdef BATON_PRIVATE_MEMORY
/// True if a private task has left its stack by the lower end.
bool has_overflowed(const tcb& t, uint32_t address, uint32_t stack_pointer) {
  constexpr uint32_t most_pushed = 64;
  const uint32_t stack = reinterpret_cast<uint32_t>(t.stack);
  return t.context.is_private() && (stack_pointer < stack || stack - address - 1 < most_pushed);
}
#else
constexpr bool has_overflowed(const tcb&, uint32_t, uint32_t) {
  return false;
}
#endif

constexpr uint8_t first_calls = baton::kernel::spi::own_entrances;

}  // namespace

/// Handles a call that has no function of its own.
TRAP void baton_armv5_other_call() {
  kernel_state& m = *baton_armv5_kernel;
  tcb* self = m.running;
  request* r = &self->context.call;
  const uint32_t number = baton::kernel_port::number_of(*r);
  baton_armv5_leave_call(m, self, baton::kernel::enter_linked<first_calls>(m, number, *r));
}

/// Interrupts the next task that runs, since attention was raised while a task or the kernel ran.
extern "C" __attribute__((used, externally_visible)) void baton_kernel_pend() {
  baton_pl190[raise_by_software] = software;
}

/// Called when an interrupt came while a task ran; all of the task's registers are saved.
TRAP void baton_armv5_interrupted(request* r) {
  if (baton_pl190[pending] & ~software) baton_interrupt();
  baton_pl190[lower_by_software] = software;
  if (!port::attention::raised()) baton_armv5_resume(r);
  go_on(baton::kernel::handle_pending(*baton_armv5_kernel));
}

/// Called when the running task has raised an exception. The number is that of the exception's
/// vector; `sp_and_lr` are the task's.
TRAP void baton_armv5_failed(uint32_t number, uint32_t address, uint32_t pc, const uint32_t* sp_and_lr) {
  constexpr uint32_t undefined_instruction = 1;
  baton::kernel::fault why =
      number == undefined_instruction ? baton::kernel::fault::other : baton::kernel::fault::bad_access;
  if (number != undefined_instruction && has_overflowed(*baton_armv5_kernel->running, address, sp_and_lr[0]))
    why = baton::kernel::fault::stack_overflow;
  const baton::kernel::fault_registers registers = {pc, sp_and_lr[0], sp_and_lr[1]};
  go_on(baton::kernel::fail(*baton_armv5_kernel, why, address, &registers));
}

void baton_armv5_run(kernel_state& m) {
  baton_armv5_kernel = &m;
#ifdef BATON_PRIVATE_MEMORY
  baton::armv5_tasks::protect_memory();
#endif
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    const port::critical masked;
    if (tcb* next = baton::kernel::handle_pending(m)) baton_armv5_begin(&next->context.call);
  });
}
