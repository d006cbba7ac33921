/* SPDX-License-Identifier: MIT
 *
 * Reset, vectors and the entry of interrupts, at exception level 1, on one stack that interrupts
 * share.
 * Source: Arm Architecture Reference Manual for A-profile (DDI 0487), D1.3 "Exceptions", D8 "The
 * AArch64 Virtual Memory System Architecture", D17.2 (CPACR_EL1, MAIR_EL1, SCTLR_EL1, TCR_EL1).
 */
    .section .vectors, "ax"
    .balign 2048
vectors:
    .rept 4                             /* from this level, with the unused stack of level 0 */
    .balign 128
    b     fault
    .endr
    .balign 128
    b     fault                         /* synchronous */
    .balign 128
    b     enter_interrupt
    .rept 10                            /* fast interrupts, system errors, level 0 */
    .balign 128
    b     fault
    .endr

    .text
    .globl baton_reset
    .type baton_reset, %function
baton_reset:
    ldr   x0, =__stack_top
    mov   sp, x0
    ldr   x0, =vectors
    msr   vbar_el1, x0
    mov   x0, #(3 << 20)                /* the compiler copies with vectors: do not trap */
    msr   cpacr_el1, x0

    /* Map the memory as normal memory: only the memory management unit makes it cached and
       allows unaligned accesses. */
    ldr   x0, =0xff00                   /* attribute 0: device; 1: memory, written back */
    msr   mair_el1, x0
    ldr   x0, =0x803520                 /* 4 GB in pages of 4 KB, shared tables, no upper half */
    msr   tcr_el1, x0
    ldr   x0, =map
    msr   ttbr0_el1, x0
    tlbi  vmalle1
    dsb   sy
    isb
    mrs   x0, sctlr_el1
    ldr   x1, =0x1005                   /* translation, both caches */
    orr   x0, x0, x1
    bic   x0, x0, #(1 << 1)             /* no check of alignment */
    msr   sctlr_el1, x0
    isb
    b     baton_device_start
    .ltorg

/* Maps each address to itself, in blocks of 1 GB per entry. Devices are not executable, and
   there is nothing above 2 GB. */
    .section .rodata.map, "a"
    .balign 64
map:
    .quad 0x0060000000000401            /* attribute 0, accessed, not executable */
    .quad 0x0000000040000705            /* attribute 1, accessed, shared */
    .quad 0, 0

    .text
/* The number of a fault is its class (ESR_EL1, EC). The stack may be broken, so it is reset. */
fault:
    ldr   x0, =__stack_top
    mov   sp, x0
    mrs   x0, esr_el1
    ubfx  x0, x0, #26, #6
    b     baton_crash
    .ltorg

/* The registers that a function may change: those that its caller saves, and all of the vectors. */
    .equ frame, 24 * 8 + 32 * 16
    .macro general op
    \op   x0, x1, [sp, #0]
    \op   x2, x3, [sp, #16]
    \op   x4, x5, [sp, #32]
    \op   x6, x7, [sp, #48]
    \op   x8, x9, [sp, #64]
    \op   x10, x11, [sp, #80]
    \op   x12, x13, [sp, #96]
    \op   x14, x15, [sp, #112]
    \op   x16, x17, [sp, #128]
    \op   x18, x30, [sp, #144]
    .endm
    .macro vectors_pair op, first, second
    \op   q\first, q\second, [sp, #192 + \first * 16]
    .endm
    .macro all_vectors op
    vectors_pair \op, 0, 1
    vectors_pair \op, 2, 3
    vectors_pair \op, 4, 5
    vectors_pair \op, 6, 7
    vectors_pair \op, 8, 9
    vectors_pair \op, 10, 11
    vectors_pair \op, 12, 13
    vectors_pair \op, 14, 15
    vectors_pair \op, 16, 17
    vectors_pair \op, 18, 19
    vectors_pair \op, 20, 21
    vectors_pair \op, 22, 23
    vectors_pair \op, 24, 25
    vectors_pair \op, 26, 27
    vectors_pair \op, 28, 29
    vectors_pair \op, 30, 31
    .endm

enter_interrupt:
    sub   sp, sp, #frame
    general stp
    all_vectors stp
    mrs   x0, elr_el1
    mrs   x1, spsr_el1
    stp   x0, x1, [sp, #160]
    mrs   x0, fpsr
    mrs   x1, fpcr
    stp   x0, x1, [sp, #176]
    bl    baton_interrupt
    ldp   x0, x1, [sp, #176]
    msr   fpsr, x0
    msr   fpcr, x1
    ldp   x0, x1, [sp, #160]
    msr   elr_el1, x0
    msr   spsr_el1, x1
    all_vectors ldp
    general ldp
    add   sp, sp, #frame
    eret
