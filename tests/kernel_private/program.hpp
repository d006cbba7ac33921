// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/core/print.hpp>
#include <baton/kernel.hpp>

/// The memory of the program, and its checks.
namespace private_tasks {

namespace kernel = baton::kernel;

using kernel::error;
using kernel::word;

constexpr bool is_protected = baton::kernel_port::protects_memory;

/// Tasks that are not private do not touch the kernel's memory either. (A domain of an MMU is open
/// to them.)
#ifdef BATON_HAS_MMU
constexpr bool is_kernel_protected = false;
#else
constexpr bool is_kernel_protected = is_protected;
#endif
#if BATON_HAS_MPU == 8
constexpr uintptr_t a_device = 0x50200000, a_register = a_device + 8;  // the console, which is on
#elif defined(BATON_HAS_MPU)
constexpr uintptr_t a_device = 0x40000000, a_register = a_device;
#elif defined(__riscv)
constexpr uintptr_t a_device = 0x10000000, a_register = a_device;  // the UART
#elif defined(BATON_HAS_MMU)
constexpr uintptr_t a_device = 0x101f1000, a_register = a_device;  // the console's UART
#else
static uint32_t no_device;
const uintptr_t a_device = reinterpret_cast<uintptr_t>(&no_device), a_register = a_device;
#endif

/// The size of a task's piece, where a port has no stacks that are larger.
#ifndef BATON_TEST_PIECE
#define BATON_TEST_PIECE 1024
#endif
constexpr word wanted_bytes = BATON_TEST_PIECE - 64;
constexpr word stack_bytes =
    baton::kernel_port::least_stack < wanted_bytes ? wanted_bytes : baton::kernel_port::least_stack;
constexpr word judge_stack_bytes = stack_bytes == wanted_bytes ? 1024 : stack_bytes;
constexpr word open_stack_bytes = stack_bytes == wanted_bytes ? 512 : stack_bytes;

/// The data of the tasks.
struct state {
  uint32_t magic = 0x600d600d;
  uint32_t starts = 0;
};

/// A task and the judge share one; nobody here shares the other.
struct board {
  volatile uint32_t goes_on;
  volatile word results[8];
  const void* data;
  kernel::tid owner;
  uint64_t frame[8];
};

BATON_KERNEL_MEMORY static kernel::system<5, 5, 1> the_kernel;
BATON_TASK_MEMORY static kernel::task_memory<state, stack_bytes> victim_memory, owner_memory, child_memory;
BATON_KERNEL_MEMORY static kernel::shared_memory<board> desk, strange;
BATON_KERNEL_MEMORY static kernel::stack<judge_stack_bytes> judge_stack;
static volatile uint32_t variable;
BATON_KERNEL_MEMORY static bool has_failed;

/// The kernel's report of the last fault.
BATON_KERNEL_MEMORY static struct {
  uint8_t count;
  kernel::fault why;
} seen;

inline void say(const char* text) {
  baton::print_line(baton::board::console{}, text);
}
inline void check(bool holds, const char* what) {
  if (holds) return;
  has_failed = true;
  baton::print_line(baton::board::console{}, "missing: ", what);
}

inline volatile uint32_t& word_at(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
template <typename T>
inline volatile uint32_t& word_of(T& object) {
  return word_at(reinterpret_cast<uintptr_t>(&object));
}

/// Says to the judge that it goes on.
inline void go_on() {
  desk.value.goes_on = desk.value.goes_on + 1;
}

}  // namespace private_tasks
