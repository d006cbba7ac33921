// SPDX-License-Identifier: MIT
//
// The common part of the A32 programs of timing_test.py: an ARM926 of QEMU's machine versatilepb,
// without any library. The caches of the model see `words`, which begin at a line.
#include <stdint.h>

static inline void print(const char* text) {
  while (*text) *(volatile uint32_t*)0x101f1000 = (uint8_t)*text++;
}

int main(void);

__attribute__((noreturn, used)) static void leave(uint32_t code) {
  const uint32_t reason_and_code[2] = {0x20026, code};
  register uint32_t operation __asm__("r0") = 0x20;
  register const uint32_t* parameters __asm__("r1") = reason_and_code;
  for (;;) __asm__ volatile("svc 0x123456" ::"r"(operation), "r"(parameters) : "memory");
}

__attribute__((naked, noreturn)) void reset(void) {
  __asm__ volatile("ldr sp, =0x200000\nbl main\nbl leave");
}

__asm__(
    ".global baton_mark_start, baton_mark_stop\n"
    ".type baton_mark_start, %function\n"
    ".type baton_mark_stop, %function\n"
    "baton_mark_start: bx lr\n"
    "baton_mark_stop: bx lr\n");
__attribute__((used, aligned(32))) volatile uint32_t words[1 << 14];
#define MARKED(instructions)                                                                      \
  __asm__ volatile("ldr r0, =words\nbl baton_mark_start\n" instructions "\nbl baton_mark_stop" :: \
                       : "r0", "r1", "r2", "r3", "r4", "r5", "lr", "cc", "memory")
