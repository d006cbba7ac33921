// SPDX-License-Identifier: MIT
//
// A task fails, its report is kept, and the processor is reset: the next start finds the report,
// once, and one that was not written whole is no report.
#include <baton/kernel/crash_record.hpp>
#include <baton/kernel/end_reports.hpp>

#include "program.hpp"

using namespace supervision;

namespace {

BATON_KERNEL_MEMORY kernel::system<2> the_kernel;
BATON_KERNEL_MEMORY kernel::end_reports<2> reports{the_kernel};
BATON_KERNEL_MEMORY kernel::stack<1024> keeper_stack;
BATON_TASK_MEMORY kernel::stack<512> stack;

BATON_KEPT_MEMORY kernel::crash_record kept, torn;
BATON_KEPT_MEMORY uint32_t mark;
constexpr uint32_t was_here = 0x5eed1e55;

/// Source   ARMv7-M Architecture Reference Manual, "Application Interrupt and Reset Control
///          Register".
void reset() {
  __asm__ volatile("dsb" ::: "memory");
  *reinterpret_cast<volatile uint32_t*>(0xe000ed0c) = 0x05fa0004;
  for (;;) {
  }
}

void fail(void*) {
  execute_undefined();
}

void keep(void*) {
  kernel::create(kernel::describe(2, fail, stack, "pump"));
  kernel::end_report r;
  check(static_cast<bool>(kernel::wait_end_report(r)), "the end is reported");
  kept.keep(r);
  torn.keep(r);
  reinterpret_cast<volatile unsigned char*>(&torn)[sizeof torn - 1] ^= 1;
  mark = was_here;
  reset();
}

void crash() {
  kernel::end_report r;
  check(!kept.take(r) && !torn.take(r), "there is no report after power-on");
  the_kernel.create(kernel::describe_privileged(3, keep, keeper_stack, "keeper"));
  the_kernel.run();
  check(false, "the processor is reset");
}

bool is_pump(const char* name) {
  return name && name[0] == 'p' && name[1] == 'u' && name[2] == 'm' && name[3] == 'p' && !name[4];
}

}  // namespace

int main() {
  baton::board::start();
  if (mark != was_here) {
    crash();
  } else {
    kernel::end_report r;
    check(!torn.take(r), "a report that is not whole is none");
    check(kept.take(r), "the report outlives the reset");
    check(is_pump(r.name) && r.how == kernel::ending::failed && r.why == kernel::fault::other, "it says what it said");
    console c;
    kernel::print_end(c, r);
    check(!kept.take(r), "it is taken once");
  }
  finish();
}
