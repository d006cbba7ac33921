/* SPDX-License-Identifier: MIT */
    .arm
    .text

/* uint32_t baton_hold_registers(uint32_t pattern, const volatile uint32_t* go_on): fills the
   registers with the pattern and numbers, compares them until *go_on is 0, and returns how often
   one was different. */
    .globl baton_hold_registers
    .type baton_hold_registers, %function
baton_hold_registers:
    stmfd sp!, {r4-r11, lr}
    mov   r2, #0                        /* the count of different ones */
    add   r3, r0, #3
    add   r4, r0, #4
    add   r5, r0, #5
    add   r6, r0, #6
    add   r7, r0, #7
    add   r8, r0, #8
    add   r9, r0, #9
    add   r10, r0, #10
    add   r11, r0, #11
    add   r12, r0, #12
    add   lr, r0, #14
    .macro look register, number
    sub   \register, \register, #\number
    cmp   \register, r0
    add   \register, \register, #\number
    addne r2, r2, #1
    .endm
1:  look  r3, 3
    look  r4, 4
    look  r5, 5
    look  r6, 6
    look  r7, 7
    look  r8, 8
    look  r9, 9
    look  r10, 10
    look  r11, 11
    look  r12, 12
    look  lr, 14
    cmp   r0, r0
    addne r2, r2, #1                    /* never, as long as the flags are kept */
    ldr   r3, [r1]
    cmp   r3, #0
    add   r3, r0, #3
    bne   1b
    mov   r0, r2
    ldmfd sp!, {r4-r11, pc}
