// SPDX-License-Identifier: MIT
#pragma once

#include <baton/cortex_m_tasks/memory.hpp>

// BATON_SWITCH goes from one context to another, at the end of a handler that began with `push {r3,
// lr}`: r0 points to the context that ran before, r1 to the one that runs next. The processor
// pushes and pops r0 to r3, r12, lr, pc and xPSR. r4 to r11 are saved here and not on the task's
// stack, so that only the processor writes there, with the task's own rights.
//
// Source   ARMv6-M, ARMv7-M and ARMv8-M Architecture Reference Manuals, "Exception return
//          behavior". The return codes of ARMv8-M are those of the Secure state.
#ifdef __ARM_ARCH_6M__

#define BATON_SWITCH_TASKS(leave, stay) \
  ".syntax unified\n\t"                 \
  "cmp r0, r1\n\t"                      \
  "beq 9f\n\t"                          \
  "mrs r2, psp\n\t"                     \
  "stmia r0!, {r2, r4-r7}\n\t"          \
  "mov r4, r8\n\t"                      \
  "mov r5, r9\n\t"                      \
  "mov r6, r10\n\t"                     \
  "mov r7, r11\n\t"                     \
  "stmia r0!, {r4-r7}\n\t"              \
  "mov r0, r1\n\t"                      \
  "adds r0, #20\n\t"                    \
  "ldmia r0!, {r4-r7}\n\t"              \
  "mov r8, r4\n\t"                      \
  "mov r9, r5\n\t"                      \
  "mov r10, r6\n\t"                     \
  "mov r11, r7\n\t"                     \
  "ldmia r1!, {r2, r4-r7}\n\t"          \
  "msr psp, r2\n\t"                     \
  "ldmia r0!, {r1, r2}\n\t"             \
  "msr control, r1\n\t" leave           \
  "bx r2\n\t"                           \
  "9: " stay

#else

// After a task has used the floating-point unit, the processor leaves room for s0 to s15, and says
// so in the return code.
#ifdef __ARM_FP
#define BATON_SAVE_FLOATS           \
  "ldr r3, [sp, #4]\n\t"            \
  "str r3, [r0, #" BATON_SAVED_CODE \
  "]\n\t"                           \
  "tst r3, #16\n\t"                 \
  "itt eq\n\t"                      \
  "addeq r0, #" BATON_FLOATS        \
  "\n\t"                            \
  "vstmiaeq r0, {s16-s31}\n\t"
#define BATON_LOAD_FLOATS    \
  "tst " BATON_CODE          \
  ", #16\n\t"                \
  "itt eq\n\t"               \
  "addeq r1, #" BATON_FLOATS \
  "\n\t"                     \
  "vldmiaeq r1, {s16-s31}\n\t"
#else
#define BATON_SAVE_FLOATS ""
#define BATON_LOAD_FLOATS ""
#endif

// The return from the exception is a barrier for instructions.
#if BATON_HAS_MPU == 8
// All that lies before the registers by one load: one region or three, CONTROL, the limit of the
// stack pointer, and the return code.
#ifdef BATON_PRIVATE_MEMORY
#define BATON_SAVED_CODE "-68"
#define BATON_LOAD_REGIONS         \
  "ldmdb r1, {r0, r2-r9, r12}\n\t" \
  "stmia r12, {r4-r9}\n\t"
#else
#define BATON_SAVED_CODE "-52"
#define BATON_LOAD_REGIONS         \
  "ldmdb r1, {r0, r2-r5, r12}\n\t" \
  "stmia r12, {r4, r5}\n\t"
#endif
#define BATON_FLOATS "0"
#define BATON_LOAD_PROTECTION \
  BATON_LOAD_REGIONS          \
  "msr control, r0\n\t"       \
  "msr psplim, r2\n\t"        \
  "dsb\n\t"
#define BATON_CODE "r3"
#define BATON_LOAD_REST BATON_LOAD_FLOATS
#elif defined(BATON_HAS_MPU) && defined(BATON_PRIVATE_MEMORY)
// Three regions by one load and one store, through registers that are the task's only later.
#define BATON_FLOATS "52"
#define BATON_LOAD_REGIONS     \
  "add r2, r1, #44\n\t"        \
  "ldmia r2, {r4-r9, r12}\n\t" \
  "stmia r12, {r4-r9}\n\t"     \
  "dsb\n\t"
#define BATON_LOAD_REST    \
  "ldmia r1, {r0, r2}\n\t" \
  "msr control, r0\n\t" BATON_LOAD_FLOATS
#elif defined(BATON_HAS_MPU)
#define BATON_FLOATS "28"
#define BATON_LOAD_REGIONS ""
#define BATON_LOAD_REST                   \
  "ldmia r1, {r0, r2, r3, r12, lr}\n\t"   \
  "msr control, r0\n\t" BATON_LOAD_FLOATS \
  "stmia lr, {r3, r12}\n\t"               \
  "dsb\n\t"
#else
#define BATON_FLOATS "8"
#define BATON_LOAD_REGIONS ""
#define BATON_LOAD_REST    \
  "ldmia r1, {r0, r2}\n\t" \
  "msr control, r0\n\t" BATON_LOAD_FLOATS
#endif

#if BATON_HAS_MPU != 8
#define BATON_SAVED_CODE "4"
#define BATON_CODE "r2"
#define BATON_LOAD_PROTECTION BATON_LOAD_REGIONS
#endif

#define BATON_SWITCH_TASKS(leave, stay)                                 \
  "cmp r0, r1\n\t"                                                      \
  "beq 9f\n\t"                                                          \
  "mrs r2, psp\n\t"                                                     \
  "stmia r0!, {r2, r4-r11}\n\t" BATON_SAVE_FLOATS BATON_LOAD_PROTECTION \
  "ldmia r1!, {r2, r4-r11}\n\t"                                         \
  "msr psp, r2\n\t" BATON_LOAD_REST leave "bx " BATON_CODE              \
  "\n\t"                                                                \
  "9: " stay

#endif

#define BATON_SWITCH BATON_SWITCH_TASKS("add sp, #8\n\t", "pop {r3, pc}\n\t")

// A call is always a task's, so there is one way back to it, unless the frame may have
// floating-point registers.
#if defined(__ARM_FP)
#define BATON_BEGIN_CALL "push {r3, lr}\n\t"
#define BATON_END_CALL BATON_SWITCH
#elif defined(__ARM_ARCH_6M__)
#define BATON_BEGIN_CALL
#define BATON_END_CALL BATON_SWITCH_TASKS("", "movs r0, #2\n\tmvns r0, r0\n\tbx r0\n\t")
#else
#define BATON_BEGIN_CALL
#define BATON_END_CALL BATON_SWITCH_TASKS("", "mvn r0, #2\n\tbx r0\n\t")
#endif
