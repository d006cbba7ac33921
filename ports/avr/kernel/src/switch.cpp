// SPDX-License-Identifier: MIT
//
// Switches tasks, and preempts after interrupts. A task is switched with interrupts masked; the
// task that goes on unmasks them.
#include <baton/kernel/kernel_state.hpp>
#include <baton/kernel/syscalls.hpp>
#include <baton/kernel_isr.hpp>

using baton::kernel_switch;
using baton::port;
using baton::kernel::kernel_state;
using baton::kernel::tcb;

extern "C" {

kernel_state* baton_avr_kernel;

/// The stack on which main goes on.
static uint8_t* main_stack;

__attribute__((naked, noinline, used, externally_visible)) void baton_avr_switch(uint8_t**, uint8_t*) {
  __asm__ volatile(
      "push r2\n\tpush r3\n\tpush r4\n\tpush r5\n\tpush r6\n\tpush r7\n\tpush r8\n\tpush r9\n\t"
      "push r10\n\tpush r11\n\tpush r12\n\tpush r13\n\tpush r14\n\tpush r15\n\tpush r16\n\tpush r17\n\t"
      "push r28\n\tpush r29\n\t"
      "movw r30, r24\n\t"
      "in r24, __SP_L__\n\tin r25, __SP_H__\n\t"
      "st Z, r24\n\tstd Z+1, r25\n\t"
      "out __SP_H__, r23\n\tout __SP_L__, r22\n\t"
      "pop r29\n\tpop r28\n\t"
      "pop r17\n\tpop r16\n\tpop r15\n\tpop r14\n\tpop r13\n\tpop r12\n\tpop r11\n\tpop r10\n\t"
      "pop r9\n\tpop r8\n\tpop r7\n\tpop r6\n\tpop r5\n\tpop r4\n\tpop r3\n\tpop r2\n\t"
      "ret");
}

/// Ends a task whose function returns.
__attribute__((noreturn, used, externally_visible)) void baton_avr_end() {
  baton::kernel::exit();
}

__attribute__((naked, used, externally_visible)) void baton_avr_begin() {
  __asm__ volatile(
      "sei\n\t"
      "movw r24, r4\n\t"
      "movw r30, r2\n\t"
      "icall\n\t"
      "%~call %x0" ::"i"(&baton_avr_end));
}

void baton_avr_leave(tcb* self, tcb* next) {
  for (;;) {
    cli();
    if (!port::attention::raised()) break;
    sei();
    next = baton::kernel::handle_pending(*baton_avr_kernel);
  }
  if (next) kernel_switch::inside::clear();
  if (next != self) baton_avr_switch(&self->context.stack, next ? next->context.stack : main_stack);
  sei();
}

void baton_avr_run(kernel_state& m) {
  baton_avr_kernel = &m;
  kernel_switch::inside::set();
  TIMSK1 |= _BV(OCIE1B);
  port::start();
  baton::kernel::run_until_stopped(m, [&m] {
    tcb* next = baton::kernel::handle_pending(m);
    if (!next) return;
    cli();
    kernel_switch::inside::clear();
    baton_avr_switch(&main_stack, next->context.stack);
    sei();
  });
}

__attribute__((used, externally_visible)) void baton_avr_preempt() {
  if (!port::attention::raised() || kernel_switch::inside::is_set()) return;
  kernel_switch::inside::set();
  tcb* self = baton_avr_kernel->running;
  baton_avr_leave(self, self);
  cli();
}

}  // extern "C"

/// Interrupts when the kernel's alarm may be due.
BATON_KERNEL_ISR(TIMER1_COMPB_vect) {
  port::attention::raise();
}
