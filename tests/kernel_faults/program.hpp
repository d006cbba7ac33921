// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdint.h>

/// What the parts of the program share: its tasks, and what has become of them.
namespace faults {

namespace kernel = baton::kernel;

constexpr bool is_protected = baton::kernel_port::protects_memory;

extern kernel::system<6> the_kernel;
extern kernel::stack<256> server_stack;
extern kernel::tid server;

/// The victim's stack, and memory that nobody minds where nothing guards a stack.
struct guarded {
  uint32_t below[128];
  kernel::stack<512> stack;
};
#ifdef BATON_HAS_MPU
extern kernel::stack<512> victim_stack;
#else
extern guarded victim_memory;
static kernel::stack<512>& victim_stack = victim_memory.stack;
#endif

/// How often a task of the highest priority has run, by the clock.
extern volatile uint32_t beats;

/// What a task should not do, and what must come of it.
struct misdeed {
  const char* name;
  void (*commit)(void*);
  kernel::fault why;
  bool is_privileged;
};

void say(const char* text);

/// Notes what does not hold.
bool check(bool holds, const char* what);

/// What is asked of the kernel with wrong arguments; ends well.
void ask_wrongly(void*);
void ask_wrongly_where_memory_is_protected(void*);

}  // namespace faults
