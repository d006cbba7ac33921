// SPDX-License-Identifier: MIT
//
// The common part of the small programs of runner_test.py: a Cortex-M4 of QEMU's machine
// mps2-an386, without any library.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
enum { uart = 0x40004000, state = 4, control = 8, pending = 12, divider = 16, set_enable = 0xe000e100 };

extern uint32_t __stack_top;
int main(void);
void reset(void);

static inline void put(char c) {
  while (REGISTER(uart + state) & 1) {
  }
  REGISTER(uart) = (uint8_t)c;
}

static inline void print(const char* text) {
  while (*text) put(*text++);
}

static inline char get(void) {
  while (!(REGISTER(uart + state) & 2)) {
  }
  return (char)REGISTER(uart);
}

__attribute__((noreturn)) static inline void leave(uint32_t code) {
  const uint32_t reason_and_code[2] = {0x20026, code};
  register uint32_t operation __asm__("r0") = 0x20;
  register const uint32_t* parameters __asm__("r1") = reason_and_code;
  for (;;) __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(parameters) : "memory");
}

#ifdef LOCKS_UP
void fault(void) {
  (void)*(volatile uint32_t*)0xfffffff0;
}
#else
void fault(void) {
  print("FAULT\n");
  leave(125);
}
#endif

void reset(void) {
  REGISTER(uart + divider) = 16;
  REGISTER(uart + control) = 1 << 0 | 1 << 1;
  leave((uint32_t)main());
}

static void (*on_byte)(char) = put;

#ifndef TICK
#define TICK fault
#endif
void TICK(void);

static void received(void) {
  REGISTER(uart + pending) = 1 << 1;
  on_byte(get());
}

static inline void listen(void) {
  REGISTER(uart + control) |= 1 << 3;
  REGISTER(set_enable) = 1 << 0;
}

__attribute__((section(".vectors"), used)) static const void* const vectors[17] = {
    &__stack_top, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, TICK, received,
};

// The marks, and an interval around assembly that finds the address of some words in r0.
__asm__(
    ".thumb\n"
    ".global baton_mark_start, baton_mark_stop\n"
    ".type baton_mark_start, %function\n"
    ".type baton_mark_stop, %function\n"
    "baton_mark_start: bx lr\n"
    "baton_mark_stop: bx lr\n");
__attribute__((used)) volatile uint32_t some_words[8];
#define MARKED(instructions)                                                                           \
  __asm__ volatile("ldr r0, =some_words\nbl baton_mark_start\n" instructions "\nbl baton_mark_stop" :: \
                       : "r0", "r1", "r2", "r3", "lr", "cc", "memory")
