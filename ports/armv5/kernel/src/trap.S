/* SPDX-License-Identifier: MIT
 *
 * Enters the kernel and leaves it. While a task runs, the supervisor's stack pointer points to
 * the place where a call saves the task's registers (kernel_port::context, from `call` on). The
 * kernel has a stack of its own, whose top never moves, because nothing of a call outlives it.
 *
 * The board's vectors lead here, and the board supplies four symbols: baton_interrupt handles an
 * interrupt; baton_enter_interrupt is the entry of an interrupt that comes while no task runs;
 * baton_end_by_fault ends the program after a fault outside of a task; baton_pl190 is the
 * address of an interrupt controller. Source: ARM Architecture Reference Manual (DDI 0100), A2.6
 * "Exceptions", A4.1 LDM (2), LDM (3), STM (2).
 */
    .equ supervisor, 0xd3               /* supervisor mode with IRQ and FIQ masked */
    .equ irq_masked, 0x80
    .equ interrupt, 0xd2
    .equ mode_mask, 0x1f
    .equ supervisor_mode, 0x13
    .equ user_mode, 0x10
    .equ system_mode, 0x1f

    .equ psr, -12                       /* offset in a context, from `call` */
#ifdef BATON_PRIVATE_MEMORY
    .equ domains, -16
#endif
    .equ pc_slot, 52

    .equ slice, 256                     /* bytes of a copy between two windows, by words */
    .equ slice_of_bytes, 48             /* and byte by byte */

    .equ calls, 23
    .equ copy_from, 20                  /* and then copy_to */

    .equ enable, 0x10                   /* offsets in the interrupt controller */
    .equ disable, 0x14
    .equ software_interrupt, 1 << 1

/* A private task may access its own domains alone, and the kernel those of all tasks. Domain 0, which
   has the kernel's own memory, is open to both: permissions keep it from the task. Source: ARM
   Architecture Reference Manual (DDI 0100), B4.5 "Domains". */
    .macro open_domains scratch
#ifdef BATON_PRIVATE_MEMORY
    mvn   \scratch, #0
    mcr   p15, 0, \scratch, c3, c0, 0
#endif
    .endm

    .arm
    .text

/* A call, with its number in r12. */
    .globl baton_armv5_call
    .type baton_armv5_call, %function
baton_armv5_call:
    stmia sp, {r0-r12, lr}
    open_domains r10
    mov   r8, sp
    ldr   sp, =kernel_stack_top
    ldr   r9, [sp]
    cmp   r12, #calls
    ldrlo pc, [pc, r12, lsl #2]
    b     no_call
    .word baton_armv5_send
    .word baton_armv5_receive
    .word baton_armv5_reply
    .word baton_armv5_reply_receive
    .word baton_armv5_yield
    .rept copy_from - 5
    .word baton_armv5_other_call
    .endr
    .word baton_armv5_copy_from
    .word baton_armv5_copy_to
    .rept calls - copy_from - 2
    .word baton_armv5_other_call
    .endr

/* A task in user mode may end the program, which semihosting does for privileged modes alone. Any
   other unknown call is refused, and so is any other call of semihosting: it reads and writes the
   host's files. */
no_call:
    ldr   r2, [lr, #-4]
    ldr   r3, =0xef123456               /* svc 0x123456 */
    cmp   r2, r3
    bne   baton_armv5_other_call
    cmp   r0, #0x18                     /* the end of the program */
    cmpne r0, #0x20                     /* the same with an exit code */
    bne   baton_armv5_other_call
    svc   0x123456
    b     no_call

/* baton_armv5_begin(task's registers): goes from main's context to a task. */
    .globl baton_armv5_begin
    .type baton_armv5_begin, %function
baton_armv5_begin:
    stmfd sp!, {r4-r11, lr}
    ldr   r1, =main_sp
    str   sp, [r1]
    ldr   r1, =baton_pl190
    mov   r2, #software_interrupt
    str   r2, [r1, #enable]

/* baton_armv5_resume(task's registers): loads all of them. The instruction after a load of the
   user's registers must not touch banked ones. */
    .globl baton_armv5_resume
    .type baton_armv5_resume, %function
baton_armv5_resume:
    ldmdb r0, {sp, lr}^
#ifdef BATON_PRIVATE_MEMORY
    ldr   r1, [r0, #domains]
    mcr   p15, 0, r1, c3, c0, 0
#endif
    ldr   r1, [r0, #psr]
    msr   spsr_cxsf, r1
    mov   sp, r0
    ldmia sp, {r0-r12, pc}^

/* baton_armv5_leave(): no task is ready, so main's context goes on after baton_armv5_begin. */
    .globl baton_armv5_leave
    .type baton_armv5_leave, %function
baton_armv5_leave:
    ldr   r1, =baton_pl190
    mov   r2, #software_interrupt
    str   r2, [r1, #disable]
    ldr   r1, =main_sp
    ldr   sp, [r1]
    ldmfd sp!, {r4-r11, pc}

/* The entry of interrupts. An interrupt that came while a task ran saves all of the task's
   registers. */
    .globl baton_armv5_interrupt
    .type baton_armv5_interrupt, %function
baton_armv5_interrupt:
    stmfd sp!, {r0}
    mrs   r0, spsr
    and   r0, r0, #mode_mask
    cmp   r0, #supervisor_mode
    ldmfd sp!, {r0}
    beq   baton_enter_interrupt
    sub   lr, lr, #4
    stmfd sp!, {r0, lr}
    mrs   r0, spsr
    stmfd sp!, {r0}
    msr   cpsr_c, #supervisor
    stmia sp, {r0-r12}
    stmdb sp, {sp, lr}^
    mov   r4, sp
    msr   cpsr_c, #interrupt
    ldmfd sp!, {r1, r2, r3}
    msr   cpsr_c, #supervisor
    str   r1, [r4, #psr]
    str   r2, [r4]
    str   r3, [r4, #pc_slot]
    ldr   sp, =kernel_stack_top
    open_domains r1
    mov   r0, r4
    b     baton_armv5_interrupted

/* The entry of a fault, with the number of its vector. A task that faults ends, so of its registers
   pc, sp and lr alone are kept, for the report. */
    .macro fault name, number
    .globl \name
    .type \name, %function
\name:
    mrs   r2, spsr
    and   r2, r2, #mode_mask
    cmp   r2, #user_mode
    cmpne r2, #system_mode
    mov   r0, #\number
    bne   baton_end_by_fault
    .if \number == 4
    mrc   p15, 0, r1, c6, c0, 0         /* the faulting address */
    sub   r2, lr, #8
    .else
    sub   r1, lr, #4
    mov   r2, r1
    .endif
    msr   cpsr_c, #supervisor
    open_domains r3
    ldr   sp, =kernel_stack_top - 8
    mov   r3, sp
    stmia r3, {sp, lr}^
    b     baton_armv5_failed
    .endm
    fault baton_armv5_undefined, 1
    fault baton_armv5_fetch, 3
    fault baton_armv5_data, 4

/* A task's first function returns here. */
    .globl baton_armv5_task_returns
    .type baton_armv5_task_returns, %function
baton_armv5_task_returns:
    mov   r12, #5                       /* call_number::exit */
    swi   0

/* baton_armv5_copy(to, from, bytes): in slices, with a window between two of them. */
    .globl baton_armv5_copy
    .type baton_armv5_copy, %function
baton_armv5_copy:
    cmp   r2, #slice
    bhi   2f
copy_slice:
    orr   r3, r0, r1
    tst   r3, #3
    bne   3f
    subs  r2, r2, #32
    blt   1f
    stmfd sp!, {r4-r10}
0:  ldmia r1!, {r3-r10}
    stmia r0!, {r3-r10}
    subs  r2, r2, #32
    bge   0b
    ldmfd sp!, {r4-r10}
1:  adds  r2, r2, #28                   /* the rest, less one word */
    ldrge r3, [r1], #4
    strge r3, [r0], #4
    subges r2, r2, #4
    bge   1b + 4
    add   r2, r2, #4
3:  subs  r2, r2, #1
    ldrgeb r3, [r1], #1
    strgeb r3, [r0], #1
    bgt   3b
    bx    lr
2:  stmfd sp!, {r4-r7, lr}
    mov   r4, r0
    mov   r5, r1
    mov   r6, r2
    orr   r3, r0, r1
    tst   r3, #3
    moveq r7, #slice
    movne r7, #slice_of_bytes
4:  bl    baton_armv5_window
    mov   r0, r4
    mov   r1, r5
    cmp   r6, r7
    movlo r2, r6
    movhs r2, r7
    add   r4, r4, r2
    add   r5, r5, r2
    sub   r6, r6, r2
    bl    copy_slice
    cmp   r6, #0
    bne   4b
    ldmfd sp!, {r4-r7, pc}

/* baton_armv5_window(): interrupts that wait come in, but for the software interrupt, which is for
   the time when a task goes on. Its enable bit stays as it was. Nothing while no kernel runs. */
    .globl baton_armv5_window
    .type baton_armv5_window, %function
baton_armv5_window:
    ldr   r0, =baton_armv5_kernel
    ldr   r0, [r0]
    cmp   r0, #0
    bxeq  lr
    ldr   r0, =baton_pl190
    ldr   r1, [r0, #enable]
    and   r1, r1, #software_interrupt
    str   r1, [r0, #disable]
    mrs   r2, cpsr
    msr   cpsr_c, #supervisor - irq_masked
    nop
    msr   cpsr_c, r2
    str   r1, [r0, #enable]
    bx    lr
    .ltorg

#ifdef BATON_PRIVATE_MEMORY
/* The first KiB is that of the vectors: a null pointer points there, so it is no task's. */
    .section .vectors_end, "ax"
    .balign 1024
    .word 0
#endif

    .bss
    .align 3
    .space 2048
    .globl baton_armv5_kernel
kernel_stack_top:
baton_armv5_kernel:
    .space 4
main_sp:
    .space 4
