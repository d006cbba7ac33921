/* SPDX-License-Identifier: MIT */
    .syntax unified
    .thumb
    .text

/* uint32_t baton_hold_registers(uint32_t pattern, const volatile uint32_t* go_on): fills the
   registers with the pattern and numbers, compares them until *go_on is 0, and returns how often
   one was different. It uses ARMv6-M's instructions. */
    .globl baton_hold_registers
    .type baton_hold_registers, %function
    .thumb_func
baton_hold_registers:
    push  {r4-r7, lr}
    mov   r4, r8
    mov   r5, r9
    mov   r6, r10
    mov   r7, r11
    push  {r4-r7}
    movs  r2, #0                        /* the count of different ones */
    .macro fill register, number
    movs  r3, #\number
    adds  r3, r3, r0
    mov   \register, r3
    .endm
    .macro look register, number
    movs  r3, #\number
    adds  r3, r3, r0
    cmp   \register, r3
    beq   2f
    adds  r2, r2, #1
2:
    .endm
    .macro each operation
    \operation r4, 4
    \operation r5, 5
    \operation r6, 6
    \operation r7, 7
    \operation r8, 8
    \operation r9, 9
    \operation r10, 10
    \operation r11, 11
    \operation r12, 12
    \operation lr, 14
    .endm
    each fill
1:  each look
    cmp   r0, r0
    beq   3f
    adds  r2, r2, #1                    /* never, as long as the flags are kept */
3:  ldr   r3, [r1]
    cmp   r3, #0
    bne   1b
    mov   r0, r2
    pop   {r4-r7}
    mov   r8, r4
    mov   r9, r5
    mov   r10, r6
    mov   r11, r7
    pop   {r4-r7, pc}
