// SPDX-License-Identifier: MIT
//
// However large the ordinary variables are: a task may write all of them, and nothing of the
// kernel's memory, whose first object is a stack.
#include <baton/board.hpp>
#include <baton/kernel.hpp>

namespace kernel = baton::kernel;

namespace {

constexpr kernel::word bytes = BATON_TEST_BYTES;
volatile char ordinary[bytes];

BATON_KERNEL_MEMORY kernel::system<4, 4, 1> the_kernel;
BATON_KERNEL_MEMORY kernel::stack<256> stacks[3];
BATON_KERNEL_MEMORY kernel::stack<512> judges_stack;
volatile bool has_written;
kernel::word faults;

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

void write_what_is_its_own(void*) {
  ordinary[0] = 1;
  ordinary[bytes - 1] = 1;
  has_written = true;
}

/// The argument is the stack of another task, or the kernel.
void write_what_is_not(void* to) {
  *static_cast<volatile uint32_t*>(to) = 1;
  say("failed: a task has written the kernel's memory\n");
}

void judge(void*) {
  const bool good = has_written && faults == 2;
  say(good ? "verdict: good\n" : "verdict: bad\n");
  baton::board::finish(good ? 0 : 1);
}

void count(const kernel::kernel_state&, const kernel::tcb&, kernel::fault why, kernel::word) {
  faults += why == kernel::fault::bad_access;
}

}  // namespace

int main() {
  baton::board::start();
  the_kernel.on_fault = &count;
  the_kernel.create(kernel::describe(3, write_what_is_its_own, stacks[0], "owner"));
  the_kernel.create(kernel::describe(3, write_what_is_not, stacks[1], "first", stacks[0].words));
  the_kernel.create(kernel::describe(3, write_what_is_not, stacks[2], "second", &the_kernel));
  the_kernel.create(kernel::describe_privileged(1, judge, judges_stack, "judge"));
  the_kernel.run();
}
