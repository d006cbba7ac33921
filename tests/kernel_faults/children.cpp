// SPDX-License-Identifier: MIT
//
// Asks for children with what is not the asking task's to give: each is refused, and nothing else
// happens.
#include "program.hpp"

namespace faults {

namespace {

using kernel::error;
using kernel::word;

BATON_TASK_MEMORY kernel::stack<256> child_stack, parent_stack;
BATON_KERNEL_MEMORY kernel::stack<256> stack_of_main;
union {
  kernel::stack<256> stack;
  kernel::task_description description;
} shared;  // every task may write it
constexpr kernel::priority own_priority = 3;

void wait_for_ever(void*) {
  kernel::receive(nullptr, 0);
}

kernel::task_description good_child() {
  return kernel::describe(own_priority, wait_for_ever, child_stack, "child");
}

void refused(const kernel::task_description& d, error why, const char* what) {
  const kernel::created c = kernel::create(d);
  check(c.result.why() == why, what);
  if (c) kernel::kill(c.id);
}

void accepted(const kernel::task_description& d, const char* what) {
  const kernel::created c = kernel::create(d);
  check(c && kernel::kill(c.id).is_ok(), what);
}

void refuse_stack(word at, word bytes, const char* what) {
  kernel::task_description d = good_child();
  d.stack = reinterpret_cast<void*>(at);
  d.stack_bytes = bytes;
  refused(d, error::bad_stack, what);
}

void refuse_name(const char* name, const char* what) {
  kernel::task_description d = good_child();
  d.name = name;
  refused(d, error::bad_buffer, what);
}

void refuse_entry(word at, const char* what) {
  kernel::task_description d = good_child();
  d.entry = reinterpret_cast<void (*)(void*)>(at);
  refused(d, error::bad_buffer, what);
}

kernel::tid grandchild;

void make_grandchild(void*) {
  grandchild = kernel::create(good_child()).id;
}

}  // namespace

/// The kernel fills the stack before the task begins.
void make_child_of_what_its_stack_holds() {
  shared.description = kernel::describe(own_priority, wait_for_ever, shared.stack, "inside");
  accepted(shared.description, "a description may lie in the stack that it names");
}

void ask_for_children(void*) {
  accepted(good_child(), "a child as urgent as its maker is made");
  kernel::task_description d = good_child();
  d.priority = own_priority + 1;
  refused(d, error::no_right, "a child is not more urgent than its maker");
  d = good_child();
  d.is_privileged = true;
  refused(d, error::no_right, "a child has no privileges that its maker lacks");

  kernel::create(kernel::describe(own_priority, make_grandchild, parent_stack, "parent"));
  kernel::sleep(baton::ticks(2));
  check(kernel::kill(grandchild).is_ok(), "the children of a task that has ended are its parent's");
}

void ask_for_children_where_memory_is_protected(void*) {
  const word kernel_end = reinterpret_cast<word>(&the_kernel) + sizeof the_kernel;
  refuse_stack(0xE000ED80, 128, "the registers of the processor are no stack");
  refuse_stack(0x60000000, 1024, "a place without memory is no stack");
  refuse_stack(0x40000000, 1024, "a device is no stack");
  refuse_stack((kernel_end - 1) & ~word{127}, 128, "the kernel's queues are no stack");
  refuse_stack(reinterpret_cast<word>(stack_of_main.words), 256, "a stack of main's is no stack of a child");
  refuse_stack(reinterpret_cast<word>(&shared), 256, "memory that others write is no stack");
  refuse_stack(0x20000000, 0x20000000, "all memory is no stack");
  refuse_stack(0x80000000, 0x80000000, "half of the addresses are no stack");

  static char variable[] = "variable";
  refuse_name(reinterpret_cast<const char*>(~word{15}), "a name is not anywhere");
  refuse_name(reinterpret_cast<const char*>(stack_of_main.words), "a name is not in the kernel's memory");
  refuse_name(variable, "a name that could change is refused");
  refuse_name("a name of more characters than 31", "a name that is too long is refused");
  kernel::task_description d = good_child();
  d.name = nullptr;
  accepted(d, "a child needs no name");
  d.name = "a name of thirty-one characters";
  accepted(d, "a name has up to 31 characters");

  refuse_entry(~word{14}, "an entry is not anywhere");
  refuse_entry(reinterpret_cast<word>(&shared) | 1, "an entry is not in a variable");
}

}  // namespace faults
