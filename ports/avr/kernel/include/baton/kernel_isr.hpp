// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>

/// Runs at the end of an interrupt, with interrupts masked, and lets a task of higher priority run
/// before the interrupted one goes on. Defined in ports/avr/kernel/src/switch.cpp.
extern "C" void baton_avr_preempt();

/// Defines an interrupt of a program with a kernel. A task that it wakes runs before the
/// interrupted task goes on. A task that is woken by an interrupt of avr-libc's `ISR` runs at the
/// next call of the kernel, or within 33 ms.
///
///     BATON_KERNEL_ISR(INT0_vect) {
///       baton::kernel::from_interrupt::raise_event(kernel, 1);
///     }
///
/// Cost     78 cycles around the body, and 17 bytes of the interrupted task's stack; 20 more if
///          another task runs.
#define BATON_KERNEL_ISR(vector) BATON_KERNEL_ISR_(vector)
#define BATON_KERNEL_ISR_(vector)                                                            \
  extern "C" __attribute__((used, externally_visible)) void vector##_in_kernel();            \
  ISR(vector, ISR_NAKED) {                                                                   \
    __asm__ volatile(                                                                        \
        "push r0\n\tin r0, __SREG__\n\tpush r0\n\tpush r1\n\tclr r1\n\t"                     \
        "push r18\n\tpush r19\n\tpush r20\n\tpush r21\n\tpush r22\n\tpush r23\n\t"           \
        "push r24\n\tpush r25\n\tpush r26\n\tpush r27\n\tpush r30\n\tpush r31\n\t"           \
        "%~call %x0\n\t%~call %x1\n\t"                                                       \
        "pop r31\n\tpop r30\n\tpop r27\n\tpop r26\n\tpop r25\n\tpop r24\n\t"                 \
        "pop r23\n\tpop r22\n\tpop r21\n\tpop r20\n\tpop r19\n\tpop r18\n\t"                 \
        "pop r1\n\tpop r0\n\tout __SREG__, r0\n\tpop r0\n\treti" ::"i"(&vector##_in_kernel), \
        "i"(&baton_avr_preempt));                                                            \
  }                                                                                          \
  extern "C" void vector##_in_kernel()
