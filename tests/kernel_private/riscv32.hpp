// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

/// The private tasks of RV32: more that they may not touch, and the registers that they can write
/// although the kernel uses them, too.
namespace private_tasks {

/// The end of the kernel's stack (ports/riscv32/kernel).
extern "C" char baton_riscv32_kernel_stack_top[];

__attribute__((noinline, naked)) inline void return_at_once() {
  __asm__ volatile("ret");
}

inline void write_code(state&) {
  go_on();
  word_at(reinterpret_cast<uintptr_t>(&return_at_once) & ~uintptr_t{3}) = 0;
  go_on();
}

/// The instruction is the one of `return_at_once`.
inline void execute_data(state& s) {
  go_on();
  s.starts = 0x00008067;
  __asm__ volatile("fence.i\n\tjalr %0" ::"r"(&s.starts) : "ra", "memory");
  go_on();
}

inline void read_behind_piece(state&) {
  go_on();
  desk.value.results[0] = word_at(reinterpret_cast<uintptr_t>(&victim_memory) + sizeof victim_memory);
  go_on();
}

/// A fault with such a stack pointer is not one of the kernel.
inline void fail_with_stack_of_kernel(state&) {
  go_on();
  __asm__ volatile("mv sp, %0\n\tlw zero, 0(zero)" ::"r"(baton_riscv32_kernel_stack_top - 64) : "memory");
  go_on();
}

inline void fail_with_another_global_pointer(state&) {
  go_on();
  __asm__ volatile("li gp, 64\n\tlw zero, 0(zero)" ::: "memory");
  go_on();
}

/// Calls with another gp, and waits with another one for an interrupt. The kernel gives it back.
inline void write_global_pointer(state&) {
  go_on();
  register word t1 __asm__("t1") = 4 * static_cast<word>(kernel::call_number::yield);
  __asm__ volatile("li gp, 64\n\tecall"
                   : "+r"(t1)
                   :
                   : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t2", "t3", "t4", "t5", "t6", "s1", "s2",
                     "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "ra", "memory");
  go_on();
  __asm__ volatile("li gp, 64\n\tli t0, 64\n\t1: beq gp, t0, 1b" ::: "t0", "memory");
  go_on();
}

/// Exceeds its stack by a frame.
__attribute__((noinline)) inline uint32_t go_down(uint32_t levels) {
  volatile uint32_t here[8];
  here[0] = levels;
  return levels == 0 ? 0 : go_down(levels - 1) + here[0];
}
inline void overflow_stack(state&) {
  go_on();
  desk.value.results[0] = go_down(sizeof victim_memory / 32);
  go_on();
}

/// Fills the registers that an interrupt saves, and waits for its end with them.
__attribute__((naked)) inline void wait_with_registers(void*) {
  __asm__ volatile(
      "li s0, 77\n\tmv s1, s0\n\tmv s2, s0\n\tmv s3, s0\n\tmv s4, s0\n\tmv s5, s0\n\tmv s6, s0\n\t"
      "mv s7, s0\n\tmv s8, s0\n\tmv s9, s0\n\tmv s10, s0\n\tmv s11, s0\n\tmv a0, s0\n\tmv a1, s0\n\t"
      "mv a2, s0\n\tmv a3, s0\n\tmv a4, s0\n\tmv a5, s0\n\tmv a6, s0\n\tmv a7, s0\n\tmv ra, s0\n\t"
      "mv t0, s0\n\tmv t1, s0\n\tmv t2, s0\n\tmv t3, s0\n\tmv t4, s0\n\tmv t5, s0\n\tmv t6, s0\n\t"
      "j .");
}
/// Says what it finds in them at its start.
__attribute__((naked)) inline void look_at_registers(void*) {
  __asm__ volatile(
      "or a1, a1, s0\n\tor a1, a1, s1\n\tor a1, a1, s2\n\tor a1, a1, s3\n\tor a1, a1, s4\n\tor a1, a1, s5\n\t"
      "or a1, a1, s6\n\tor a1, a1, s7\n\tor a1, a1, s8\n\tor a1, a1, s9\n\tor a1, a1, s10\n\tor a1, a1, s11\n\t"
      "or a1, a1, a2\n\tor a1, a1, a3\n\tor a1, a1, a4\n\tor a1, a1, a5\n\tor a1, a1, a6\n\tor a1, a1, a7\n\t"
      "or a1, a1, t0\n\tor a1, a1, t1\n\tor a1, a1, t2\n\tor a1, a1, t3\n\tor a1, a1, t4\n\tor a1, a1, t5\n\t"
      "or a1, a1, t6\n\tsw a1, 0(a0)\n\tret");
}

}  // namespace private_tasks
