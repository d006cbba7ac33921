/* SPDX-License-Identifier: MIT */
    .text

/* uint32_t baton_hold_registers(uint32_t pattern, const volatile uint32_t* go_on): fills the
   registers with the pattern and numbers, compares them until *go_on is 0, and returns how often
   one was different. */
    .globl baton_hold_registers
    .type baton_hold_registers, %function

    .macro each_saved operation
    \operation ra, 0(sp)
    \operation s0, 4(sp)
    \operation s1, 8(sp)
    \operation s2, 12(sp)
    \operation s3, 16(sp)
    \operation s4, 20(sp)
    \operation s5, 24(sp)
    \operation s6, 28(sp)
    \operation s7, 32(sp)
    \operation s8, 36(sp)
    \operation s9, 40(sp)
    \operation s10, 44(sp)
    \operation s11, 48(sp)
    .endm

    .macro each_held operation
    \operation ra, 1
    \operation t1, 6
    \operation t2, 7
    \operation s0, 8
    \operation s1, 9
    \operation a3, 13
    \operation a4, 14
    \operation a5, 15
    \operation a6, 16
    \operation a7, 17
    \operation s2, 18
    \operation s3, 19
    \operation s4, 20
    \operation s5, 21
    \operation s6, 22
    \operation s7, 23
    \operation s8, 24
    \operation s9, 25
    \operation s10, 26
    \operation s11, 27
    \operation t3, 28
    \operation t4, 29
    \operation t5, 30
    \operation t6, 31
    .endm

    .macro fill register, number
    addi  \register, a0, \number
    .endm
    .macro look register, number
    addi  t0, a0, \number
    beq   \register, t0, 2f
    addi  a2, a2, 1
2:
    .endm

baton_hold_registers:
    addi  sp, sp, -64
    each_saved sw
    li    a2, 0
    each_held fill
1:  each_held look
    lw    t0, 0(a1)
    bnez  t0, 1b
    mv    a0, a2
    each_saved lw
    addi  sp, sp, 64
    ret
