// SPDX-License-Identifier: MIT
//
// Private tasks on an MMU: how many there are, what is left of a piece whose task has ended, and
// how a fault is reported. The program names each failed check; the last line is the verdict.
#include <baton/board.hpp>
#include <baton/core/print.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/end_reports.hpp>

namespace limits {

namespace kernel = baton::kernel;

using kernel::error;
using kernel::fault;
using kernel::word;

/// As many as there are domains without the first one, less one that all tasks share.
constexpr uint8_t most_tasks = 14;
constexpr uintptr_t uart = 0x101f1000, timer = 0x101e2000;

struct state {
  uint32_t number = 0;
};
struct board {
  volatile word target;
  volatile word value;
  volatile word starts;
};

BATON_KERNEL_MEMORY static kernel::system<most_tasks + 3, 5, 1> the_kernel{nullptr};
BATON_KERNEL_MEMORY static kernel::end_reports<2> reports{the_kernel};
BATON_TASK_MEMORY static kernel::task_memory<state, 960> memories[most_tasks + 2];
BATON_TASK_MEMORY static kernel::stack<1024> plain_stack;
BATON_KERNEL_MEMORY static kernel::shared_memory<board> desk;
BATON_KERNEL_MEMORY static kernel::stack<1024> judge_stack;
BATON_KERNEL_MEMORY static bool has_failed;
static volatile uint32_t variable = 1;

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  has_failed = true;
  baton::print_line(baton::board::console{}, "missing: ", what);
}

volatile uint32_t& word_at(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

// ---- Tasks

void wait(state&) {
  desk.value.starts = desk.value.starts + 1;
  kernel::receive(nullptr, 0);
}
void read_target(state&) {
  desk.value.value = word_at(desk.value.target);
}
void write_target(state&) {
  word_at(desk.value.target) = 0;
}
void read_register(state&) {
  desk.value.value = word_at(kernel::register_of_device(desk.value.target));
}
void push_too_much(state& s) {
  volatile uint32_t more[64];
  more[0] = s.number;
  s.number = more[0] + 1;
  if (s.number != 1000) push_too_much(s);
  more[1] = more[0];
}
/// The stack pointer is still in the stack when the last push fails.
void push_for_ever(state&) {
  __asm__ volatile("1: stmfd sp!, {r0-r7}\n\tb 1b");
}
void leap_over_the_end(state&) {
  volatile uint32_t far[3000];
  far[0] = 1;
  desk.value.value = far[0];
}
void run_for_the_mmu(state&) {
  __asm__ volatile("mcr p15, 0, %0, c3, c0, 0" ::"r"(~0u));
}
void jump_to_null(state&) {
  reinterpret_cast<void (*)()>(0)();
}

kernel::task_description describe(uint8_t number, void (*entry)(state&)) {
  return kernel::sharing(desk, kernel::describe(3, entry, memories[number], "private"));
}

// ---- Judgements

/// Runs a task to its end, and returns the report.
kernel::end_report run(const kernel::task_description& d) {
  kernel::end_report r = {};
  const kernel::created c = kernel::create(d);
  check(static_cast<bool>(c), "the task begins");
  check(kernel::take_end_report(r).is_ok() && r.id == c.id, "the end of the task is reported");
  return r;
}
kernel::end_report run_at(uintptr_t target, void (*entry)(state&)) {
  desk.value.target = target;
  return run(describe(0, entry));
}

void judge_fault(uintptr_t target, void (*entry)(state&), const char* what) {
  const kernel::end_report r = run_at(target, entry);
  const word code = reinterpret_cast<word>(entry);
  const word stack = reinterpret_cast<word>(&memories[0]);
  check(r.how == kernel::ending::failed && r.why == fault::bad_access, what);
  check(r.address == target, "the report has the address of the access");
  check(r.registers.pc - code < 64, "the report has the instruction");
  check(r.registers.sp - stack < sizeof memories[0].words, "the report has the stack");
}

void judge_faults() {
  judge_fault(reinterpret_cast<uintptr_t>(&variable), read_target, "a private task reads no variable");
  judge_fault(reinterpret_cast<uintptr_t>(&memories[1]), write_target, "nor another's piece");
  judge_fault(reinterpret_cast<uintptr_t>(&wait) & ~3u, write_target, "nor does it write code");
  judge_fault(0, read_target, "null is nobody's");
  judge_fault(uart, read_target, "a device has its own address for the kernel alone");
  check(run(describe(0, run_for_the_mmu)).why == fault::other, "the MMU is the kernel's");
  check(run(describe(0, jump_to_null)).why == fault::bad_access, "there is no code at null");
}

void judge_stacks() {
  const word end = reinterpret_cast<word>(&memories[0]);
  kernel::end_report r = run(describe(0, push_too_much));
  check(r.why == fault::stack_overflow && r.address < end && r.address >= end - 1024, "an overflow is named");
  r = run(describe(0, push_for_ever));
  check(r.why == fault::stack_overflow && r.registers.sp >= end, "an overflow by a push, too");
  r = run(describe(0, leap_over_the_end));
  check(r.why == fault::stack_overflow && r.address < end, "and one in a single step");
}

void judge_devices() {
  const auto with_uart = [](uintptr_t target) {
    desk.value.target = target;
    return run(kernel::with_device(uart, 0x400, describe(0, read_register)));
  };
  check(with_uart(uart + 0x18).how == kernel::ending::exited, "a task reads its device");
  check(with_uart(uart + 0x400).why == fault::bad_access, "a task reads what it has named, and no more");
  check(with_uart(timer).why == fault::bad_access, "a task reads no other device");
  check(run_at(uart + 0x18, read_register).why == fault::bad_access, "the next task does not have the device");
}

void judge_descriptions() {
  kernel::task_description d = describe(0, wait);
  d.stack = plain_stack.words;
  d.stack_bytes = sizeof plain_stack;
  check(kernel::create(d).result.why() == error::bad_stack, "a stack among others is no piece");
  d = describe(0, wait);
  d.stack_bytes = baton::armv5_tasks::piece_bytes + 8;
  check(kernel::create(d).result.why() == error::bad_stack, "a stack is no larger than a piece");
  d = kernel::with_device(uart, 100, describe(0, wait));
  check(kernel::create(d).result.why() == error::bad_buffer, "a device has whole KiB");
}

/// The tasks fill all domains. One that has ended leaves its domain to another piece.
void judge_numbers() {
  kernel::tid all[most_tasks];
  for (uint8_t i = 0; i < most_tasks; ++i) all[i] = kernel::create(describe(i, wait)).id;
  check(desk.value.starts == most_tasks, "that many private tasks wait at a time");
  check(kernel::create(describe(most_tasks, wait)).result.why() == error::table_full, "one more has no domain");
  check(desk.value.starts == most_tasks, "a refused task does not begin");
  check(kernel::kill(all[5]).is_ok(), "a task waits");
  desk.value.target = reinterpret_cast<word>(&memories[5]);
  const kernel::created next = kernel::create(describe(most_tasks, read_target));
  kernel::end_report r = {};
  while (kernel::take_end_report(r) && r.id != next.id) {
  }
  check(r.id == next.id && r.why == fault::bad_access && r.address == desk.value.target,
        "a piece is shut when its domain is given to another");
  check(static_cast<bool>(kernel::create(describe(5, wait))), "a piece gets a domain again");
  check(desk.value.starts == most_tasks + 1u, "its task waits");
  for (const kernel::tid t : all) kernel::kill(t);
}

void judge_all(void*) {
  judge_faults();
  judge_stacks();
  judge_devices();
  judge_descriptions();
  judge_numbers();
  baton::print_line(baton::board::console{}, has_failed ? "verdict: bad" : "verdict: good");
  the_kernel.stop();
}

}  // namespace
}  // namespace limits

int main() {
  using namespace limits;
  baton::board::start();
  the_kernel.create(kernel::describe_privileged(2, judge_all, judge_stack, "judge"));
  the_kernel.run();
  baton::board::finish(has_failed ? 1 : 0);
}
