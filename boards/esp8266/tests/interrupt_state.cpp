// SPDX-License-Identifier: MIT
//
// The entry of level-1 interrupts preserves every register and the shift amount, and gives its
// handler an aligned stack. The processor interrupts itself (number 7, by software). BATON_MUTANT
// seeds the defects that the test has to find.
#include <baton/board.hpp>
#include <stdint.h>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

namespace {

constexpr uint32_t software_interrupt = 1u << 7;
constexpr uint8_t rounds = 6;
volatile uint32_t handled;
volatile uint32_t misaligned;

/// Interrupts itself with known values in the registers, and collects the bits that differ
/// afterwards.
__attribute__((noinline)) uint32_t wrong_bits() {
  uint32_t wrong;
  __asm__ volatile(
      "movi a12, 0\n\tssai 13\n\t"
      "movi a0, 0x10\n\tmovi a3, 0x33\n\tmovi a4, 0x44\n\tmovi a5, 0x55\n\tmovi a6, 0x66\n\tmovi a7, 0x77\n\t"
      "movi a8, 0x18\n\tmovi a9, 0x19\n\tmovi a10, 0x1a\n\tmovi a11, 0x1b\n\t"
      "movi a2, %[interrupt]\n\twsr.intset a2\n\tesync\n\tnop\n\tnop\n\t"
#if BATON_MUTANT
      "movi a11, 0x1c\n\t"
#endif
      "rsr.sar a13\n\taddi a13, a13, -13\n\tor a12, a12, a13\n\t"
      "addi a13, a0, -0x10\n\tor a12, a12, a13\n\t"
      "addi a13, a2, -%[interrupt]\n\tor a12, a12, a13\n\t"
      "addi a13, a3, -0x33\n\tor a12, a12, a13\n\t"
      "addi a13, a4, -0x44\n\tor a12, a12, a13\n\t"
      "addi a13, a5, -0x55\n\tor a12, a12, a13\n\t"
      "addi a13, a6, -0x66\n\tor a12, a12, a13\n\t"
      "addi a13, a7, -0x77\n\tor a12, a12, a13\n\t"
      "addi a13, a8, -0x18\n\tor a12, a12, a13\n\t"
      "addi a13, a9, -0x19\n\tor a12, a12, a13\n\t"
      "addi a13, a10, -0x1a\n\tor a12, a12, a13\n\t"
      "addi a13, a11, -0x1b\n\tor a12, a12, a13\n\t"
      "mov %[wrong], a12"
      : [wrong] "=a"(wrong)
      : [interrupt] "i"(software_interrupt)
      : "a0", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "memory");
  return wrong;
}

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

/// Spoils every register that a function may change.
extern "C" __attribute__((used, externally_visible)) void baton_xtensa_interrupt() {
  uint32_t sp;
  __asm__ volatile("mov %0, a1" : "=a"(sp));
  if (sp & 15) misaligned = misaligned + 1;
  handled = handled + 1;
  __asm__ volatile("wsr.intclear %0\n\tesync" ::"a"(software_interrupt));
  __asm__ volatile(
      "ssai 7\n\tmovi a0, -1\n\tmovi a2, -1\n\tmovi a3, -1\n\tmovi a4, -1\n\tmovi a5, -1\n\tmovi a6, -1\n\tmovi a7, "
      "-1\n\t"
      "movi a8, -1\n\tmovi a9, -1\n\tmovi a10, -1\n\tmovi a11, -1" ::
          : "a0", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11");
}

int main() {
  baton::board::start();
  __asm__ volatile("wsr.intenable %0\n\tesync" ::"a"(software_interrupt) : "memory");
  uint32_t wrong = 0;
  for (uint8_t n = 0; n < rounds; ++n) wrong |= wrong_bits();
  if (wrong) print("an interrupt changes registers\n");
  if (misaligned) print("a handler's stack is not aligned\n");
  if (handled != rounds) print("an interrupt was not handled, or twice\n");
  baton::board::finish(wrong || misaligned || handled != rounds ? 1 : 0);
}
