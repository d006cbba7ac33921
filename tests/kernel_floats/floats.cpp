// SPDX-License-Identifier: MIT
//
// Two tasks hold numbers in every register of the floating-point unit, across calls and across time
// slices that end anywhere.
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdint.h>

namespace kernel = baton::kernel;

namespace {

BATON_KERNEL_MEMORY kernel::system<3> tasks;
BATON_KERNEL_MEMORY kernel::stack<1024> first_stack, second_stack, judge_stack;
volatile uint32_t wrong, rounds;

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

/// Keeps numbers in all registers. The lower half must survive time slices; the upper half must
/// survive a call, too. A call may change s0 to s15, as a function may.
__attribute__((noinline)) void hold(uint32_t* in, uint32_t* out) {
  register uint32_t* from __asm__("r6") = in;
  register uint32_t* to __asm__("r7") = out;
  __asm__ volatile(
      "vldmia r6, {s0-s31}\n\t"
      "movw r5, #2000\n"
      "1: subs r5, #1\n\t"
      "bne 1b\n\t"
      "vstmia r7, {s0-s15}\n\t"
      "movs r4, %2\n\t"
      "svc 0\n\t"
      "add r7, #64\n\t"
      "vstmia r7, {s16-s31}\n\t"
      : "+r"(from), "+r"(to)
      : "i"(static_cast<int>(kernel::call_number::yield))
      : "r0", "r1", "r2", "r3", "r4", "r5", "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
        "s10", "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25",
        "s26", "s27", "s28", "s29", "s30", "s31");
}

void use(void* seed) {
  for (uint32_t n = 0;; ++n) {
    uint32_t in[32], out[32];
    for (uint32_t i = 0; i < 32; ++i) in[i] = *static_cast<uint32_t*>(seed) + n * 32 + i;
    hold(in, out);
    for (uint32_t i = 0; i < 32; ++i) {
      if (in[i] != out[i]) wrong = wrong + 1;
    }
    rounds = rounds + 1;
  }
}

void judge(void*) {
  kernel::sleep(baton::ticks(100000));
  say(wrong == 0 && rounds > 100 ? "verdict: good\n" : "verdict: bad\n");
  baton::board::finish(wrong ? 1 : 0);
}

uint32_t first_seed = 1000000, second_seed = 2000000;

}  // namespace

int main() {
  baton::board::start();
  *reinterpret_cast<volatile uint32_t*>(0xE000ED88) |= 0xfu << 20;  // turns the unit on for all (CPACR)
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  BATON_KERNEL_MEMORY static kernel::time_slices turns(tasks, baton::ticks(300));
  tasks.create(kernel::describe(1, use, first_stack, "first", &first_seed));
  tasks.create(kernel::describe(1, use, second_stack, "second", &second_seed));
  tasks.create(kernel::describe(2, judge, judge_stack, "judge"));
  tasks.run();
}
