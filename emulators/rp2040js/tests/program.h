// SPDX-License-Identifier: MIT
//
// The common part of the small programs of runner_test.py: a bare start-up and UART0.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define UART(offset) REGISTER(0x40034000 + (offset))
#define NOINLINE __attribute__((noinline))

extern char __stack_top[];
int main(void);

static inline void put(uint8_t c) {
  UART(0) = c;
}

static inline void print(const char* text) {
  while (*text) put((uint8_t)*text++);
}

static inline uint8_t get(void) {
  while (UART(0x18) & 1 << 4) {
  }
  return (uint8_t)UART(0);
}

__attribute__((noreturn)) static inline void leave(uint32_t code) {
  const uint32_t block[2] = {0x20026, code};
  register uint32_t operation __asm__("r0") = 0x20;
  register const uint32_t* parameter __asm__("r1") = block;
  for (;;) __asm__ volatile("bkpt 0xab" ::"r"(operation), "r"(parameter) : "memory");
}

__attribute__((naked, used)) void baton_mark_start(void) {
  __asm__("bx lr");
}
__attribute__((naked, used)) void baton_mark_stop(void) {
  __asm__("bx lr");
}
#define MARKED(code) \
  __asm__ volatile("bl baton_mark_start\n" code "\nbl baton_mark_stop" ::: "r0", "r1", "r2", "r3", "lr", "cc", "memory")

void on_reset(void) {
  REGISTER(0xe000ed08) = 0x20000000;
  UART(0x2c) = 0x70;
  UART(0x30) = 0x301;
  leave((uint32_t)main());
}
#ifndef OWN_FAULT
void on_fault(void) {
  print("FAULT\n");
  leave(125);
}
#endif
// The table is written in assembly, because the formatter takes designators of array elements for
// Objective-C.
__asm__(
    ".weak on_systick, on_uart\n"
    ".pushsection .vectors, \"a\"\n"
    ".word __stack_top, on_reset, 0, on_fault, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, on_systick\n"
    ".rept 20\n .word 0\n .endr\n .word on_uart\n"
    ".popsection");
