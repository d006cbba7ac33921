// SPDX-License-Identifier: MIT
//
// An interrupt preserves every register and flag, at any position of the stack pointer, and gives
// its handler a stack at a multiple of 8. BATON_MUTANT seeds the defects that the test has to find.
#include <baton/board_serial.hpp>
#include <stdint.h>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

namespace {

constexpr uint32_t bytes_awaited = 6;
volatile uint32_t handled;
volatile uint32_t misaligned;

/// Spoils every register that a function may change.
void spoil(uint8_t) {
  uint32_t sp;
  __asm__ volatile("mov %0, sp" : "=r"(sp));
  if (sp & 7) misaligned = misaligned + 1;
  handled = handled + 1;
  __asm__ volatile("mov r0, #0\n\tmov r1, #0\n\tmov r2, #0\n\tmov r3, #0\n\tmov r12, #0\n\tcmp r0, #1" ::
                       : "r0", "r1", "r2", "r3", "r12", "cc");
}

/// Fills the registers, waits for `handled` to become `until`, and counts those that differ then.
/// `below` moves the stack pointer.
__attribute__((noinline)) uint32_t wrong_registers(uint32_t until, uint32_t below) {
  register uint32_t wrong __asm__("r0") = 0;
  __asm__ volatile(
      "sub sp, sp, %[below]\n\t"
      "mov r4, %[handled]\n\t"
      "mov r5, %[until]\n\t"
      "mov r1, #0x11\n\tmov r2, #0x22\n\tmov r3, #0x33\n\tmov r6, #0x66\n\tmov r12, #0xcc\n\tmov lr, #0xee\n\t"
#if BATON_MUTANT
      "mov r12, #0xcd\n\t"
#endif
      "1: cmp r5, r5\n\t"
      "addne %[wrong], %[wrong], #1\n\t"  // never, as long as an interrupt keeps the flags
      "ldr r7, [r4]\n\t"
      "cmp r7, r5\n\t"
      "bne 1b\n\t"
      "cmp r1, #0x11\n\taddne %[wrong], %[wrong], #1\n\t"
      "cmp r2, #0x22\n\taddne %[wrong], %[wrong], #1\n\t"
      "cmp r3, #0x33\n\taddne %[wrong], %[wrong], #1\n\t"
      "cmp r6, #0x66\n\taddne %[wrong], %[wrong], #1\n\t"
      "cmp r12, #0xcc\n\taddne %[wrong], %[wrong], #1\n\t"
      "cmp lr, #0xee\n\taddne %[wrong], %[wrong], #1\n\t"
      "add sp, sp, %[below]"
      : [wrong] "+r"(wrong)
      : [until] "r"(until), [below] "r"(below), [handled] "r"(&handled)
      : "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r12", "lr", "cc", "memory");
  return wrong;
}

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  baton::board::serial_in::listen(spoil);
  uint32_t wrong = 0;
  for (uint32_t n = 1; n <= bytes_awaited; ++n) wrong += wrong_registers(n, n % 2 * 4);
  if (wrong) print("an interrupt changes registers\n");
  if (misaligned) print("a handler's stack is not aligned\n");
  baton::board::finish(wrong || misaligned ? 1 : 0);
}
