/* SPDX-License-Identifier: MIT
 *
 * Reset, vectors and the entry of interrupts. Programs run in supervisor mode, on one stack that
 * interrupts share.
 * Source: ARM Architecture Reference Manual (DDI 0100), A2.6 "Exceptions", B2.4 (control register
 * 1).
 */
    .equ supervisor, 0xd3               /* supervisor mode with IRQ and FIQ masked */
    .equ interrupt, 0xd2

/* The entries are weak: a program without a kernel has no tasks that call it, fail, or are
   interrupted. */
    .weak baton_armv5_undefined
    .weak baton_armv5_call
    .weak baton_armv5_fetch
    .weak baton_armv5_data
    .weak baton_armv5_interrupt
    .set  baton_armv5_undefined, fault_1
    .set  baton_armv5_call, fault_2
    .set  baton_armv5_fetch, fault_3
    .set  baton_armv5_data, fault_4
    .set  baton_armv5_interrupt, baton_enter_interrupt

    .arm
    .section .vectors, "ax"
vectors:
    ldr   pc, =baton_reset
    ldr   pc, =baton_armv5_undefined
    ldr   pc, =baton_armv5_call
    ldr   pc, =baton_armv5_fetch
    ldr   pc, =baton_armv5_data         /* a fault of the address or its alignment */
    ldr   pc, =fault_5                  /* reserved */
    ldr   pc, =baton_armv5_interrupt
    ldr   pc, =fault_7                  /* fast interrupt */
    .ltorg

    .text
    .globl baton_reset
    .type baton_reset, %function
baton_reset:
    msr   cpsr_c, #interrupt
    ldr   sp, =interrupt_scratch_top
    msr   cpsr_c, #supervisor
    ldr   sp, =__stack_top
    mrc   p15, 0, r0, c1, c0, 0
    orr   r0, r0, #2                    /* an unaligned access is a fault, not a rotated word */
    mcr   p15, 0, r0, c1, c0, 0
    b     baton_device_start

    .macro fault number
fault_\number:
    mov   r0, #\number
    b     baton_end_by_fault
    .endm
    fault 1
    fault 2
    fault 3
    fault 4
    fault 5
    fault 7

/* The stack may be broken, so it is reset. */
    .globl baton_end_by_fault
baton_end_by_fault:
    msr   cpsr_c, #supervisor
    ldr   sp, =__stack_top
    b     baton_crash

/* The registers that the interrupted code needs again go to the stack of supervisor mode, whose
   pointer may be a multiple of 4; functions need a multiple of 8. */
    .globl baton_enter_interrupt
baton_enter_interrupt:
    sub   lr, lr, #4
    stmfd sp!, {r0, lr}
    mrs   r0, spsr
    stmfd sp!, {r0}
    msr   cpsr_c, #supervisor
    and   r0, sp, #4
    sub   sp, sp, r0
    stmfd sp!, {r0-r3, r12, lr}
    bl    baton_interrupt
    ldmfd sp!, {r0-r3, r12, lr}
    add   sp, sp, r0
    msr   cpsr_c, #interrupt
    ldmfd sp!, {r0}
    msr   spsr_cxsf, r0
    ldmfd sp!, {r0, pc}^
    .ltorg

    .bss
    .align 3
    .space 16                           /* three words of an entering or leaving interrupt */
interrupt_scratch_top:
