/* SPDX-License-Identifier: MIT
 *
 * Reset, vectors and the entry of level-1 interrupts, for the call0 ABI, which is the LX106's only
 * one and one of the LX6's two. Functions are called through a register, because they may be further
 * away than a call reaches. Literals are words before their use, because l32r reaches backwards
 * only.
 *
 * Source: Xtensa ISA Reference Manual, 4.4.1 "Exception Option", 8.1.2 "CALL0 ABI"; the vectors'
 * offsets from VECBASE are the LX106's (QEMU 7.2, target/xtensa/core-lx106/core-isa.h), and those
 * of cores with register windows (the same, core-dc233c), of which the LX6 is one. Its vectors of
 * windows stay empty: PS.WOE is off.
 */
#ifdef BATON_LX6
#define VECTORS_ALIGN 1024
#define KERNEL_VECTOR 0x300
#define USER_VECTOR 0x340
#define DOUBLE_VECTOR 0x3c0
#define VECTORS_SIZE 0x400
#else
#define VECTORS_ALIGN 256
#define KERNEL_VECTOR 0x30
#define USER_VECTOR 0x50
#define DOUBLE_VECTOR 0x70
#define VECTORS_SIZE 0x80
#endif

/* The machine starts at the first byte of its ROM and ignores the entry point of the ELF file. */
    .section .init, "ax"
    .globl  baton_reset
    .align  4
baton_reset:
    j       1f
    .align  4
.Lstack_top:
    .word   __stack_top
.Lvectors:
    .word   baton_vectors
.Ldevice_start:
    .word   baton_device_start
1:
    l32r    a1, .Lstack_top
    movi    a0, 0
    wsr.intenable a0
    l32r    a2, .Lvectors
    wsr.vecbase a2
    movi    a2, 0x20              /* PS: UM: exceptions take the user vector; interrupts on */
    wsr.ps  a2
    rsync
    l32r    a2, .Ldevice_start
    jx      a2

/* The handlers are weak: a program without a clock holds no handler of its interrupt, and a
   program without any other interrupt holds none for those. */
    .weak   baton_xtensa_timer
    .set    baton_xtensa_timer, fault
    .weak   baton_xtensa_interrupt
    .set    baton_xtensa_interrupt, fault

    .section .vectors, "ax"
    .align  VECTORS_ALIGN
    .globl  baton_vectors
baton_vectors:
#ifdef BATON_LX6
    .org    0x180                 /* levels 2 to 5, debug, and what is not maskable */
    j       fault
    .org    0x1c0
    j       fault
    .org    0x200
    j       fault
    .org    0x240
    j       fault
    .org    0x280
    j       fault
    .org    0x2c0
    j       fault
#else
    .org    0x10                  /* level 2: debug */
    j       fault
    .org    0x20                  /* level 3: not maskable */
    j       fault
#endif
    .org    KERNEL_VECTOR         /* kernel: an exception while PS.UM is off */
    j       fault
    .org    USER_VECTOR           /* user: exceptions and level-1 interrupts */
    wsr.excsave1 a0
    rsr.exccause a0
    beqi    a0, 4, level1
    j       fault
    .org    DOUBLE_VECTOR         /* double: an exception while PS.EXCM is on */
    j       fault
    .org    VECTORS_SIZE

/* PS.EXCM is on from the vector to rfe, so no level-1 interrupt comes between, and EPC1 and
   EXCSAVE1 stay. A handler is a function, so the registers that a call may change are saved: a0,
   a2 to a11 and SAR. (ISA, 8.1.2) */
    .equ    frame, 64
    .align  4
.Ltimer:
    .word   baton_xtensa_timer
.Linterrupt:
    .word   baton_xtensa_interrupt
level1:
    addi    a1, a1, -frame
    s32i    a2, a1, 0
    s32i    a3, a1, 4
    s32i    a4, a1, 8
    s32i    a5, a1, 12
    s32i    a6, a1, 16
    s32i    a7, a1, 20
    s32i    a8, a1, 24
    s32i    a9, a1, 28
    s32i    a10, a1, 32
    s32i    a11, a1, 36
    rsr.sar a2
    s32i    a2, a1, 40
    rsr.interrupt a2
    rsr.intenable a3
    and     a2, a2, a3
    l32r    a3, .Ltimer
    bbsi    a2, 6, 1f             /* CCOMPARE0 */
    l32r    a3, .Linterrupt
1:
    callx0  a3
    l32i    a2, a1, 40
    wsr.sar a2
    l32i    a2, a1, 0
    l32i    a3, a1, 4
    l32i    a4, a1, 8
    l32i    a5, a1, 12
    l32i    a6, a1, 16
    l32i    a7, a1, 20
    l32i    a8, a1, 24
    l32i    a9, a1, 28
    l32i    a10, a1, 32
    l32i    a11, a1, 36
    addi    a1, a1, frame
    rsr.excsave1 a0
    rfe

/* The stack may be broken, so it is reset. */
    .align  4
.Lstack_over:
    .word   __stack_top
.Lcrash:
    .word   baton_crash
fault:
    l32r    a1, .Lstack_over
    movi    a2, 0x2f              /* PS: UM; no interrupt, but another exception is possible */
    wsr.ps  a2
    rsync
    rsr.exccause a2
    l32r    a3, .Lcrash
    jx      a3
