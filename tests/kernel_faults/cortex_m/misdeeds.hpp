// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

#include "overflow.hpp"

namespace faults {

template <typename T>
inline volatile uint32_t& word_at(T address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

inline void jump_to_null(void*) {
  reinterpret_cast<void (*)()>(0)();
}
inline void execute_undefined(void*) {
  __asm__ volatile("udf #1");
}
inline void load_unaligned(void*) {
  uint32_t a[3] = {};
  __asm__ volatile("ldmia %0!, {r2, r3}" ::"l"(reinterpret_cast<char*>(a) + 2) : "r2", "r3", "memory");
}
/// Is a misdeed only with privileges, because masking has no effect without them.
inline void call_with_interrupts_masked(void*) {
  const baton::port::critical masked;
  kernel::yield();
}

#ifdef BATON_HAS_MPU

extern "C" char __stack_top[];

inline void write_null(void*) {
  word_at(static_cast<uintptr_t>(beats & 0)) = 1;
}
inline void read_null(void*) {
  beats = beats + word_at(static_cast<uintptr_t>(beats & 0) + 4);
}
inline void write_code(void*) {
  word_at(reinterpret_cast<uintptr_t>(&write_null) & ~3u) = 0;
}
inline void read_nowhere(void*) {
  beats = beats + word_at(0x18000000u);
}
inline void write_kernel(void*) {
  word_at(&the_kernel) = 0;
}
inline void read_kernel(void*) {
  beats = beats + word_at(&the_kernel);
}
inline void write_another_stack(void*) {
  word_at(server_stack.words + 8) = 0;
}
inline void write_main_stack(void*) {
  word_at(__stack_top - 64) = 0;
}
inline void read_processor(void*) {
  beats = beats + word_at(0xE000E010u);
}
inline void read_device_clock(void*) {
  beats = beats + baton::port::now();
}
inline void execute_variables(void*) {
  static uint32_t instructions[2] = {0x47704770, 0x47704770};  // bx lr
  reinterpret_cast<void (*)()>(reinterpret_cast<uintptr_t>(instructions) | 1)();
}
inline void execute_stack(void*) {
  const uint32_t instructions[2] = {0x47704770, 0x47704770};
  reinterpret_cast<void (*)()>(reinterpret_cast<uintptr_t>(instructions) | 1)();
}
inline void divide_by_zero(void*) {
  const int zero = static_cast<int>(beats & 0);
  beats = static_cast<uint32_t>(7 / zero);
}

/// The processor pushes a call's frame below the stack, or into its last words.
inline void call_without_room(void*) {
  __asm__ volatile("mov sp, %0\n\tmovs r4, #4\n\tsvc 0\n\tb ." ::"r"(victim_stack.words + 2));
}
/// Does the same for an interrupt.
inline void be_interrupted_without_room(void*) {
  __asm__ volatile("mov sp, %0\n\tb ." ::"r"(victim_stack.words + 2));
}
/// Waits with a frame that others could change meanwhile.
inline void wait_on_shared_memory(void*) {
  static uint64_t shared[32];
  __asm__ volatile(
      "mov sp, %0\n\tmovs r3, #0\n\tmov r12, r3\n\tmvn lr, r3\n\tmovs r4, #1\n\tsvc 0\n\tb ." ::"r"(shared + 32));
}
/// Overflows far below in one step, past any guard of a few words.
inline void overflow_by_far(void*) {
  volatile uint32_t far[4000];
  far[0] = 1;
  beats = beats + far[0];
}
inline void take_privileges(void*) {
  __asm__ volatile("msr control, %0\n\tisb" ::"r"(2) : "memory");
  word_at(&the_kernel) = 0;
}

#if BATON_HAS_MPU == 8
/// `bxns r0`, for which the assembler wants another option.
inline void leave_secure_state(void*) {
  __asm__ volatile("mov r0, %0\n\t.inst.n 0x4704" ::"r"(&beats) : "r0");
}
#endif

/// Has no effect without privileges; otherwise no more interrupts would come.
inline void mask_interrupts(void*) {
  __asm__ volatile("cpsid i" ::: "memory");
  const uint32_t before = beats;
  while (beats == before) {
  }
}

void (*const harmless_deeds[])(void*) = {mask_interrupts};

const misdeed misdeeds[] = {
    {"overflow", overflow, kernel::fault::stack_overflow, false},
    {"overflow with privileges", overflow, kernel::fault::stack_overflow, true},
    {"overflow by far", overflow_by_far, kernel::fault::stack_overflow, false},
    {"call without room", call_without_room, kernel::fault::stack_overflow, false},
    {"be interrupted without room", be_interrupted_without_room, kernel::fault::stack_overflow, false},
    {"wait on shared memory", wait_on_shared_memory, kernel::fault::stack_overflow, false},
    {"write null", write_null, kernel::fault::bad_access, false},
    {"read null", read_null, kernel::fault::bad_access, false},
    {"jump to null", jump_to_null, kernel::fault::bad_access, false},
    {"write code", write_code, kernel::fault::bad_access, false},
    {"read nowhere", read_nowhere, kernel::fault::bad_access, false},
    {"write kernel", write_kernel, kernel::fault::bad_access, false},
    {"read kernel", read_kernel, kernel::fault::bad_access, false},
    {"write another stack", write_another_stack, kernel::fault::bad_access, false},
    {"write main stack", write_main_stack, kernel::fault::bad_access, false},
    {"read processor", read_processor, kernel::fault::bad_access, false},
    {"read device clock", read_device_clock, kernel::fault::bad_access, false},
    {"execute variables", execute_variables, kernel::fault::bad_access, false},
    {"execute stack", execute_stack, kernel::fault::bad_access, false},
#if BATON_HAS_MPU == 8
    {"leave the Secure state", leave_secure_state, kernel::fault::other, false},
#endif
    {"take privileges", take_privileges, kernel::fault::bad_access, false},
    {"execute undefined", execute_undefined, kernel::fault::other, false},
    {"load unaligned", load_unaligned, kernel::fault::other, false},
    {"divide by zero", divide_by_zero, kernel::fault::other, false},
    {"call with interrupts masked", call_with_interrupts_masked, kernel::fault::other, true},
};

#else

void (*const harmless_deeds[])(void*) = {overflow};

/// Without an MPU, and on ARMv6-M, every fault but an overflow is reported as the same.
const misdeed misdeeds[] = {
    {"overflow", overflow, kernel::fault::stack_overflow, false},
    {"jump to null", jump_to_null, kernel::fault::other, false},
    {"execute undefined", execute_undefined, kernel::fault::other, false},
    {"load unaligned", load_unaligned, kernel::fault::other, false},
    {"call with interrupts masked", call_with_interrupts_masked, kernel::fault::other, true},
};

#endif

}  // namespace faults
