// SPDX-License-Identifier: MIT
//
// An interrupt preserves every register that a function may change, also the vectors', and the
// flags. BATON_MUTANT seeds the defects that the test has to find.
#include <baton/board_serial.hpp>
#include <stdint.h>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

namespace {

constexpr uint64_t bytes_awaited = 6;
volatile uint64_t handled;

#define EACH_VECTOR(of)                                                                                               \
  of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(10) of(11) of(12) of(13) of(14) of(15) of(16) of(17) \
      of(18) of(19) of(20) of(21) of(22) of(23) of(24) of(25) of(26) of(27) of(28) of(29) of(30) of(31)
#define EACH_GENERAL(of) \
  of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(10) of(11) of(12) of(13) of(14) of(15) of(18) of(30)

/// Spoils every register that a function may change, and the upper halves of v8 to v15, which it
/// need not keep.
void spoil(uint8_t) {
  handled = handled + 1;
#define SPOIL_VECTOR(n) "movi v" #n ".16b, #0xff\n\t"
#define SPOIL_GENERAL(n) "mov x" #n ", #0\n\t"
  __asm__ volatile(EACH_VECTOR(SPOIL_VECTOR) "cmp xzr, x0" ::
                       : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                         "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                         "v28", "v29", "v30", "v31", "cc");
  __asm__ volatile("mov x0, #0\n\tmov x16, #0\n\tmov x17, #0\n\t" EACH_GENERAL(SPOIL_GENERAL)::
                       : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                         "x15", "x16", "x17", "x18", "x30");
}

/// Fills the registers, waits for `handled` to become `until`, and counts those that differ then.
__attribute__((noinline)) uint64_t wrong_registers(uint64_t until) {
  register uint64_t wrong __asm__("x0") = 0;
#define FILL_VECTOR(n) "movi v" #n ".16b, #" #n "\n\t"
#define FILL_GENERAL(n) "mov x" #n ", #" #n "\n\t"
#define LOOK_AT_VECTOR(n)       \
  "movi v31.16b, #" #n          \
  "\n\t"                        \
  "cmeq v31.16b, v31.16b, v" #n \
  ".16b\n\t"                    \
  "uminv b31, v31.16b\n\t"      \
  "umov w21, v31.b[0]\n\t"      \
  "cmp w21, #0xff\n\t"          \
  "cinc %[wrong], %[wrong], ne\n\t"
#define LOOK_AT_GENERAL(n) "cmp x" #n ", #" #n "\n\tcinc %[wrong], %[wrong], ne\n\t"
  __asm__ volatile(
      "mov x19, %[handled]\n\t"
      "mov x20, %[until]\n\t" EACH_VECTOR(FILL_VECTOR) EACH_GENERAL(FILL_GENERAL)
#if BATON_MUTANT
      "movi v9.2d, #0\n\t"
#endif
      "mov x16, #16\n\tmov x17, #17\n\t"
      "1: cmp x20, x20\n\t"
      "cinc %[wrong], %[wrong], ne\n\t"  // never, as long as an interrupt keeps the flags
      "ldr x21, [x19]\n\t"
      "cmp x21, x20\n\t"
      "b.ne 1b\n\t"
      "umov w21, v31.b[15]\n\tcmp w21, #31\n\tcinc %[wrong], %[wrong], ne\n\t" EACH_GENERAL(LOOK_AT_GENERAL)
      "cmp x16, #16\n\tcinc %[wrong], %[wrong], ne\n\tcmp x17, #17\n\tcinc %[wrong], %[wrong], ne\n\t"
      EACH_VECTOR(LOOK_AT_VECTOR)
      : [wrong] "+r"(wrong)
      : [until] "r"(until), [handled] "r"(&handled)
      : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x19", "x20", "x21", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
        "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
        "v28", "v29", "v30", "v31", "cc", "memory");
  return wrong;
}

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  baton::board::serial_in::listen(spoil);
  uint64_t wrong = 0;
  for (uint64_t n = 1; n <= bytes_awaited; ++n) wrong += wrong_registers(n);
  if (wrong) print("an interrupt changes registers\n");
  baton::board::finish(wrong ? 1 : 0);
}
