// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdint.h>

/// The common part of the program's files: its tasks, and their results.
namespace faults {

namespace kernel = baton::kernel;

constexpr bool is_protected = baton::kernel_port::protects_memory;

extern kernel::system<6> the_kernel;
extern kernel::stack<256> server_stack;
extern kernel::tid server;

/// The victim's stack, and unused memory below it for boards where nothing guards a stack.
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

/// Number of times that the task of the highest priority has run.
extern volatile uint32_t beats;

/// A forbidden action, and its expected result.
struct misdeed {
  const char* name;
  void (*commit)(void*);
  kernel::fault why;
  bool is_privileged;
};

void say(const char* text);

/// Prints `what` if it does not hold.
bool check(bool holds, const char* what);

/// Calls the kernel with wrong arguments; returns if all calls are refused.
void ask_wrongly(void*);
void ask_wrongly_where_memory_is_protected(void*);
/// Called by a task with privileges.
void make_child_of_what_its_stack_holds();

void ask_for_children(void*);
void ask_for_children_where_memory_is_protected(void*);

/// Lends memory; returns if what is wrong is refused.
void lend_memory(void*);
void lend_what_is_not_its_own(void*);

}  // namespace faults
