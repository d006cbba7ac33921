// SPDX-License-Identifier: MIT
//
// Copies a message for the kernel: of any length and alignment, eight words at once where both ends
// are aligned (four on ARMv6-M).
#include <baton/kernel/types.hpp>

extern "C" __attribute__((naked)) void baton_kernel_copy(void*, const void*, baton::kernel::word) {
#ifdef __ARM_ARCH_6M__
  __asm__ volatile(
      ".syntax unified\n\t"
      "mov r3, r0\n\t"
      "orrs r3, r1\n\t"
      "lsls r3, #30\n\t"
      "bne 5f\n\t"
      "subs r2, #16\n\t"
      "bcc 2f\n\t"
      "push {r4-r6}\n\t"
      "1: ldmia r1!, {r3-r6}\n\t"
      "stmia r0!, {r3-r6}\n\t"
      "subs r2, #16\n\t"
      "bcs 1b\n\t"
      "pop {r4-r6}\n\t"
      "2: adds r2, #12\n\t"
      "bcc 4f\n\t"
      "3: ldmia r1!, {r3}\n\t"
      "stmia r0!, {r3}\n\t"
      "subs r2, #4\n\t"
      "bcs 3b\n\t"
      "4: adds r2, #4\n\t"
      "5: cmp r2, #0\n\t"
      "beq 7f\n\t"
      "6: ldrb r3, [r1]\n\t"
      "strb r3, [r0]\n\t"
      "adds r0, #1\n\t"
      "adds r1, #1\n\t"
      "subs r2, #1\n\t"
      "bne 6b\n\t"
      "7: bx lr");
#else
  // ARMv7-M loads and stores single words at any address, but several words only at aligned ones.
  __asm__ volatile(
      "cmp r2, #32\n\t"
      "bhs 5f\n\t"
      "3: subs r2, #4\n\t"
      "blo 4f\n\t"
      "ldr r3, [r1], #4\n\t"
      "str r3, [r0], #4\n\t"
      "bhi 3b\n\t"
      "bx lr\n\t"
      "4: adds r2, #4\n\t"
      "bne 7f\n\t"
      "bx lr\n\t"
      "5: orr r3, r0, r1\n\t"
      "lsls r3, r3, #30\n\t"
      "bne 3b\n\t"
      "push {r4-r10}\n\t"
      "subs r2, #32\n\t"
      "6: ldmia r1!, {r3-r10}\n\t"
      "stmia r0!, {r3-r10}\n\t"
      "subs r2, #32\n\t"
      "bhs 6b\n\t"
      "pop {r4-r10}\n\t"
      "adds r2, #32\n\t"
      "bne 3b\n\t"
      "bx lr\n\t"
      "7: ldrb r3, [r1], #1\n\t"
      "strb r3, [r0], #1\n\t"
      "subs r2, #1\n\t"
      "bne 7b\n\t"
      "bx lr");
#endif
}
