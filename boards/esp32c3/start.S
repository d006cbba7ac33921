/* SPDX-License-Identifier: MIT
 *
 * Reset and traps.
 * Source: RISC-V Privileged Architectures, version 20211203, 3.1.7 (mtvec, vectored mode).
 */

    .section .init, "ax"
    .globl baton_reset
baton_reset:
    .option push
    .option norelax
    la    gp, __global_pointer$
    .option pop
    la    sp, __stack_top
    la    t0, baton_vectors + 1   /* 1: vectored */
    csrw  mtvec, t0
    tail  baton_device_start

/* An interrupt goes to the entry of its number, an exception to the first. The handlers are
   weak: a program that has no alarm, or does not receive, holds none. */
    .weak baton_riscv32_timer
    .weak baton_uart_handler
    .set  baton_riscv32_timer, fault
    .set  baton_uart_handler, fault

    .section .vectors, "ax"
    .align 6
    .option push
    .option norvc
    .option norelax
    .globl baton_vectors
baton_vectors:
    j     fault
    .rept 6
    j     fault
    .endr
    j     baton_riscv32_timer     /* 7: the machine timer */
    .rept 3
    j     fault
    .endr
    j     baton_uart_handler      /* 11: the interrupt controller */
    .rept 4
    j     fault
    .endr
    .option pop

/* The stack may be broken, so it is reset. */
fault:
    la    sp, __stack_top
    csrr  a0, mcause
    tail  baton_crash
