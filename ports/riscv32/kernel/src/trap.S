/* SPDX-License-Identifier: MIT
 *
 * Enters the kernel and leaves it. While a task runs, mscratch points to the place where its
 * registers are saved (kernel_port::context), and mtvec to the vectors below. The kernel has a
 * stack of its own, whose top never moves, because nothing of a call outlives it. In main's
 * context the board's vectors, baton_vectors, are in force; they handle the interrupts of tasks,
 * too.
 *
 * Source: RISC-V Privileged Architectures, version 20211203, 3.1 (machine-mode registers), 3.3.
 */
    .equ call_from_user, 8              /* values of mcause */
    .equ call_from_machine, 11
    .equ previous_machine, 3 << 11      /* bits of mstatus */

    .equ call, 0                        /* offsets in a context */
    .equ s0_slot, 24
    .equ sp_slot, 28
    .equ pc_slot, 32
    .equ mstatus_slot, 36
    .equ has_all, 40
    .equ others, 44
    .equ rights, 128                    /* in a program with BATON_PRIVATE_MEMORY */

    .equ slice, 256                     /* bytes of a copy between two windows, by words */
    .equ slice_of_bytes, 48             /* and byte by byte */
    .equ interrupts, 1 << 3             /* the bit of mstatus */

    .equ calls, 23
#ifdef BATON_PRIVATE_MEMORY
    .equ entrances, 32                  /* a power of two: one test for the range and for a multiple of 4 */
#else
    .equ entrances, calls
#endif

    .macro each_other operation
    \operation ra, others + 0(t0)
    \operation t1, others + 8(t0)
    \operation t2, others + 12(t0)
    \operation s1, others + 16(t0)
    \operation a6, others + 20(t0)
    \operation a7, others + 24(t0)
    \operation s2, others + 28(t0)
    \operation s3, others + 32(t0)
    \operation s4, others + 36(t0)
    \operation s5, others + 40(t0)
    \operation s6, others + 44(t0)
    \operation s7, others + 48(t0)
    \operation s8, others + 52(t0)
    \operation s9, others + 56(t0)
    \operation s10, others + 60(t0)
    \operation s11, others + 64(t0)
    \operation t3, others + 68(t0)
    \operation t4, others + 72(t0)
    \operation t5, others + 76(t0)
    \operation t6, others + 80(t0)
    \operation a0, call + 0(t0)
    \operation a1, call + 4(t0)
    \operation a2, call + 8(t0)
    \operation a3, call + 12(t0)
    \operation a4, call + 16(t0)
    \operation a5, call + 20(t0)
    \operation s0, s0_slot(t0)
    \operation sp, sp_slot(t0)
    .endm

    .section .vectors.kernel, "ax"
    .align 6
    .option push
    .option norvc
    .option norelax
vectors:
    j     exception
    .rept 15
    j     interrupt
    .endr

/* Indexed by four times a call's number. */
entries:
    j     baton_riscv32_send
    j     baton_riscv32_receive
    j     baton_riscv32_reply
    j     baton_riscv32_reply_receive
    j     baton_riscv32_yield
    .rept entrances - 5
    j     other_call
    .endr
    .option pop

/* The kernel's stack, and its gp where memory is protected: a task can write gp, by which the
   kernel addresses its variables. */
    .macro take_stack context
#ifdef BATON_PRIVATE_MEMORY
    lw    gp, rights + 16(\context)
    lw    sp, rights + 20(\context)
#else
    la    sp, kernel_stack_top
#endif
    .endm

/* The PMP's entries of the task. The configuration is last: QEMU 7.2 forgets the rights that it
   knew of only when that is written. */
    .macro take_rights context
#ifdef BATON_PRIVATE_MEMORY
    lw    t4, rights + 0(\context)
    lw    t5, rights + 4(\context)
    lw    t6, rights + 8(\context)
    csrw  pmpaddr1, t4
    csrw  pmpaddr2, t5
    csrw  pmpaddr3, t6
    lw    t4, rights + 12(\context)
    csrw  pmpcfg0, t4
#endif
    .endm

    .text
/* Calls and faults. In both cases, the registers of the task that are not loaded here are given
   up. The kernel's functions get the fields of the call, the place to save them, and the
   kernel's state. */
exception:
    csrr  t0, mcause
    li    t2, call_from_user
    bne   t0, t2, privileged_or_fault
enter:
    csrr  a6, mscratch
    sw    sp, sp_slot(a6)
    sw    s0, s0_slot(a6)
    take_stack a6
    lw    a7, 0(sp)
#ifdef BATON_PRIVATE_MEMORY
    lw    t0, 8(sp)
    andi  t2, t1, ~(4 * entrances - 4)
    bnez  t2, 1f
#else
    li    t2, 4 * calls
    la    t0, entries
    bgeu  t1, t2, 1f
#endif
    add   t0, t0, t1
    jr    t0
1:                                      /* a call that is refused */
other_call:
    sw    t1, others + 8(a6)
    tail  baton_riscv32_other_call

privileged_or_fault:
    li    t2, call_from_machine
    beq   t0, t2, enter
#ifdef BATON_PRIVATE_MEMORY
    /* A task without privileges can write sp, too. */
    csrr  a6, mscratch
    lw    gp, rights + 16(a6)
    csrr  t1, mstatus
    li    t2, previous_machine
    and   t1, t1, t2
    beqz  t1, 1f
#endif
    la    t1, kernel_stack
    bltu  sp, t1, 1f
    la    t1, kernel_stack_top
    bltu  t1, sp, 1f
    tail  baton_vectors                 /* a fault of the kernel itself */
1:  mv    a0, t0
    csrr  a1, mepc
    csrr  a2, mtval
    mv    a3, sp
    mv    a4, ra
    la    sp, kernel_stack_top
    tail  baton_riscv32_failed

/* baton_riscv32_begin(task's registers): goes from main's context to a task. */
    .globl baton_riscv32_begin
    .type baton_riscv32_begin, %function
baton_riscv32_begin:
    addi  sp, sp, -64
    sw    ra, 0(sp)
    sw    s0, 4(sp)
    sw    s1, 8(sp)
    sw    s2, 12(sp)
    sw    s3, 16(sp)
    sw    s4, 20(sp)
    sw    s5, 24(sp)
    sw    s6, 28(sp)
    sw    s7, 32(sp)
    sw    s8, 36(sp)
    sw    s9, 40(sp)
    sw    s10, 44(sp)
    sw    s11, 48(sp)
    la    t0, main_sp
    sw    sp, 0(t0)
#ifdef BATON_PRIVATE_MEMORY
    la    t1, entries
    sw    t1, 4(t0)
#endif
    la    t0, vectors + 1               /* 1: vectored */
    csrw  mtvec, t0

/* baton_riscv32_resume(task's registers): loads the saved registers. */
    .globl baton_riscv32_resume
    .type baton_riscv32_resume, %function
baton_riscv32_resume:
    lw    t1, mstatus_slot(a0)
    lw    t2, pc_slot(a0)
    lw    t3, has_all(a0)
    csrw  mscratch, a0
    take_rights a0
    csrw  mstatus, t1
    csrw  mepc, t2
    bnez  t3, 1f
    lw    s0, s0_slot(a0)
    lw    sp, sp_slot(a0)
    lw    a2, call + 8(a0)
    lw    a1, call + 4(a0)
    lw    a0, call + 0(a0)
    mret
1:  sw    zero, has_all(a0)
    mv    t0, a0
    each_other lw
    lw    t0, others + 4(t0)
    mret

/* baton_riscv32_leave(): no task is ready, so main's context goes on after baton_riscv32_begin. */
    .globl baton_riscv32_leave
    .type baton_riscv32_leave, %function
baton_riscv32_leave:
    la    t0, baton_vectors + 1
    csrw  mtvec, t0
    la    t0, main_sp
    lw    sp, 0(t0)
    lw    ra, 0(sp)
    lw    s0, 4(sp)
    lw    s1, 8(sp)
    lw    s2, 12(sp)
    lw    s3, 16(sp)
    lw    s4, 20(sp)
    lw    s5, 24(sp)
    lw    s6, 28(sp)
    lw    s7, 32(sp)
    lw    s8, 36(sp)
    lw    s9, 40(sp)
    lw    s10, 44(sp)
    lw    s11, 48(sp)
    addi  sp, sp, 64
    ret

/* An interrupt of a task, whose registers are all saved. The board's vectors lead to the
   interrupt's handler, which returns by mret. */
interrupt:
    csrrw t0, mscratch, t0
    each_other sw
    csrr  t1, mscratch
    sw    t1, others + 4(t0)
    csrr  t1, mepc
    sw    t1, pc_slot(t0)
    csrr  t1, mstatus
    sw    t1, mstatus_slot(t0)
    li    t1, 1
    sw    t1, has_all(t0)
    mv    s0, t0
    take_stack t0
    la    t1, 1f
    csrw  mepc, t1
    li    t1, previous_machine
    csrw  mstatus, t1
    csrr  t1, mcause
    slli  t1, t1, 2
    la    t2, baton_vectors
    add   t1, t1, t2
    jr    t1
    .align 2
1:  mv    a0, s0
    tail  baton_riscv32_interrupted

/* A task's first function returns here. */
    .globl baton_riscv32_task_returns
    .type baton_riscv32_task_returns, %function
baton_riscv32_task_returns:
    li    t1, 4 * 5                     /* call_number::exit */
    ecall

/* baton_riscv32_window(): interrupts that wait come in. Returns by t4, and changes only t0 to t2.
   Nothing while no kernel runs. */
    .globl baton_riscv32_window
    .type baton_riscv32_window, %function
baton_riscv32_window:
    la    t0, baton_riscv32_kernel
    lw    t0, 0(t0)
    beqz  t0, 1f
    csrr  t0, mepc
    csrr  t1, mstatus
    la    t2, baton_vectors + 1
    csrrw t2, mtvec, t2
    csrsi mstatus, interrupts
    nop
    csrci mstatus, interrupts
    csrw  mtvec, t2
    csrw  mstatus, t1
    csrw  mepc, t0
1:  jr    t4

/* baton_riscv32_copy(to, from, bytes): in slices, with a window between two of them. Returns by
   t4, and changes only a0 to a2 and t0 to t4. */
    .globl baton_riscv32_copy
    .type baton_riscv32_copy, %function
baton_riscv32_copy:
    li    t0, slice
    bgtu  a2, t0, 8f
copy_slice:
    or    t0, a0, a1
    andi  t0, t0, 3
    bnez  t0, 3f
    addi  a2, a2, -16
    bltz  a2, 2f
1:  lw    t0, 0(a1)
    lw    t1, 4(a1)
    lw    t2, 8(a1)
    lw    t3, 12(a1)
    addi  a1, a1, 16
    sw    t0, 0(a0)
    sw    t1, 4(a0)
    sw    t2, 8(a0)
    sw    t3, 12(a0)
    addi  a0, a0, 16
    addi  a2, a2, -16
    bgez  a2, 1b
2:  addi  a2, a2, 12                    /* the rest, less one word */
    bltz  a2, 5f
4:  lw    t0, 0(a1)
    sw    t0, 0(a0)
    addi  a1, a1, 4
    addi  a0, a0, 4
    addi  a2, a2, -4
    bgez  a2, 4b
5:  addi  a2, a2, 4
3:  beqz  a2, 7f
    add   a2, a2, a1
6:  lbu   t0, 0(a1)
    sb    t0, 0(a0)
    addi  a1, a1, 1
    addi  a0, a0, 1
    bne   a1, a2, 6b
7:  jr    t4
8:  addi  sp, sp, -16
    sw    t4, 0(sp)
    or    t0, a0, a1
    andi  t0, t0, 3
    li    t1, slice
    beqz  t0, 9f
    li    t1, slice_of_bytes
9:  sw    t1, 4(sp)
10: sub   t0, a2, t1
    sw    t0, 8(sp)                     /* what is left after this slice */
    mv    a2, t1
    call  t4, copy_slice
    call  t4, baton_riscv32_window
    lw    a2, 8(sp)
    lw    t1, 4(sp)
    bgtu  a2, t1, 10b
    lw    t4, 0(sp)
    addi  sp, sp, 16
    j     copy_slice

#ifdef BATON_PRIVATE_MEMORY
/* baton_riscv32_may_access_elsewhere with its arguments in three words of a frame of 64 bytes, which
   this takes off the stack, and in t0 to t2. Returns the result in t0 by t4, and changes only t0 to
   t4. */
    .globl baton_riscv32_ask_elsewhere
    .type baton_riscv32_ask_elsewhere, %function
baton_riscv32_ask_elsewhere:
    sw    t4, 12(sp)
    sw    ra, 16(sp)
    sw    a0, 20(sp)
    sw    a1, 24(sp)
    sw    a2, 28(sp)
    sw    a3, 32(sp)
    sw    a4, 36(sp)
    sw    a5, 40(sp)
    sw    a6, 44(sp)
    sw    a7, 48(sp)
    sw    t5, 52(sp)
    sw    t6, 56(sp)
    lw    a0, 0(sp)
    lw    a1, 4(sp)
    lw    a2, 8(sp)
    mv    a3, t0
    mv    a4, t1
    mv    a5, t2
    call  baton_riscv32_may_access_elsewhere
    mv    t0, a0
    lw    t4, 12(sp)
    lw    ra, 16(sp)
    lw    a0, 20(sp)
    lw    a1, 24(sp)
    lw    a2, 28(sp)
    lw    a3, 32(sp)
    lw    a4, 36(sp)
    lw    a5, 40(sp)
    lw    a6, 44(sp)
    lw    a7, 48(sp)
    lw    t5, 52(sp)
    lw    t6, 56(sp)
    addi  sp, sp, 64
    jr    t4

    .section .bss..kernel.trap, "aw", @nobits
#else
    .bss
#endif
    .align 4
kernel_stack:
    .space 2048
    .globl baton_riscv32_kernel
kernel_stack_top:
#ifdef BATON_PRIVATE_MEMORY
    .globl baton_riscv32_kernel_stack_top
baton_riscv32_kernel_stack_top:
#endif
baton_riscv32_kernel:
    .space 4
main_sp:
    .space 4
#ifdef BATON_PRIVATE_MEMORY
    .space 4                            /* the address of entries */
#endif
