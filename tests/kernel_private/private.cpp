// SPDX-License-Identifier: MIT
//
// Private tasks: each reaches its own piece of memory, and what its description names, by itself
// and in the kernel's calls; and nothing else. The program names each failed check; the last line
// is the verdict.
#include "deeds.hpp"

namespace private_tasks {
namespace {

void hear(const kernel::kernel_state&, const kernel::tcb&, kernel::fault why, word) {
  ++seen.count;
  seen.why = why;
}

/// An ordinary variable.
kernel::stack<open_stack_bytes> open_stack;

kernel::task_description victim(void (*entry)(state&)) {
  return kernel::sharing(desk, kernel::describe(3, entry, victim_memory, "victim"));
}

/// Runs a task, which is more urgent than the judge, until it waits or has ended.
kernel::tid run(const kernel::task_description& d) {
  desk.value.goes_on = 0;
  seen.count = 0;
  const kernel::created c = kernel::create(d);
  check(static_cast<bool>(c), "the task begins");
  return c.id;
}

void judge_misdeed(const misdeed& m) {
  say(m.name);
  run(victim(m.commit));
  check(desk.value.goes_on == 1, "the task goes on until its misdeed, and no longer");
  check(seen.count == 1 && seen.why == kernel::fault::bad_access, "the misdeed is a fault");
}

kernel::task_description open(void (*entry)(state&)) {
  kernel::task_description d = kernel::describe(3, entry, victim_memory, "victim");
  d.touches.is_private = false;
  return d;
}

void judge_open_tasks() {
  run(open(open_use));
  check(variable == 2 && seen.count == 0, "a task that is not private touches variables and devices");
  for (const misdeed& m : open_misdeeds) {
    if (!is_kernel_protected) break;
    say(m.name);
    run(open(m.commit));
    check(variable == 1 && seen.count == 1 && seen.why == kernel::fault::bad_access, "the misdeed is a fault");
  }
  variable = 0;
}

void judge_starts() {
  for (int i = 0; i < 2; ++i) {
    const kernel::tid t = run(victim(count_starts));
    check(desk.value.results[0] == 0x600d600d && desk.value.results[1] == 1, "the data is constructed at each start");
    check(kernel::kill(t).is_ok(), "the task waits");
  }
}

void judge_without_shared_memory() {
  run(kernel::describe(3, write_variable_alone, victim_memory, "victim"));
  check(seen.count == 1 && seen.why == kernel::fault::bad_access && variable == 0, "a task may share nothing");
}

bool is_error(word result, error e) {
  return kernel::ipc_result(result).why() == e;
}

/// Answers until the task has ended.
void judge_names() {
  state s;
  run(victim(name_memory));
  int messages = 0;
  for (kernel::received m; (m = kernel::receive(&s, sizeof s, baton::milliseconds(2))); ++messages) {
    kernel::reply(m.client, &s, 4);
  }
  check(desk.value.goes_on == 2 && seen.count == 0, "a task may name any memory");
  check(desk.value.results[0] == 4 && desk.value.results[1] == 4, "its data and what it shares may be a message");
  for (int i = 2; is_protected && i < 7; ++i) {
    check(is_error(desk.value.results[i], error::bad_buffer), "no other memory may be a message");
  }
  check(!is_protected || messages == 2, "a refused call has done nothing");
}

void judge_children() {
  run(kernel::with_device(a_device, 0x400, victim(make_children)));
  check(desk.value.goes_on == 2 && seen.count == 0, "a private task may ask for children");
  if (is_protected) {
    check(is_error(desk.value.results[0], error::no_right), "a child of a private task is private");
    check(is_error(desk.value.results[1], error::no_right), "a child shares no more than its maker");
    check(is_error(desk.value.results[2], error::no_right), "a child has no device that its maker has not");
    check(is_error(desk.value.results[3], error::bad_buffer), "a piece that cannot be protected is refused");
  }
  check(desk.value.results[4] == 0, "a child may have what its maker has");
}

#if defined(BATON_HAS_MPU) || defined(BATON_HAS_MMU)
void judge_registers() {
  word* const result = const_cast<word*>(&desk.value.results[0]);
  const auto describe = [&](void (*entry)(void*)) {
    kernel::task_description d = kernel::describe(3, entry, victim_memory, "victim", result);
    d.touches.is_private = true;
    return kernel::sharing(desk, d);
  };
  *result = 1;
  check(kernel::kill(run(describe(wait_with_registers))).is_ok(), "the task waits");
  run(describe(look_at_registers));
  check(*result == 0 && seen.count == 0, "a task finds nothing of another in its registers");
}
void judge_what_the_kernel_uses() {}
#elif defined(__riscv)
/// The first task is interrupted and ended. The second one gets its slot in the table.
void judge_registers() {
  word* const result = const_cast<word*>(&desk.value.results[0]);
  const auto describe = [&](kernel::priority level, void (*entry)(void*)) {
    kernel::task_description d = kernel::describe(level, entry, victim_memory, "victim", result);
    d.touches.is_private = true;
    return kernel::sharing(desk, d);
  };
  const kernel::tid t = run(describe(1, wait_with_registers));
  kernel::sleep(baton::milliseconds(1));
  check(kernel::kill(t).is_ok(), "the task waits");
  *result = 1;
  run(describe(3, look_at_registers));
  check(*result == 0 && seen.count == 0, "a task finds nothing of another in its registers");
}
void judge_what_the_kernel_uses() {
  baton::port::alarm(baton::port::now() + baton::milliseconds(1).ticks());
  run(victim(write_global_pointer));
  check(desk.value.goes_on == 3 && seen.count == 0, "the kernel has its own gp, and gives it to tasks");
  run(victim(overflow_stack));
  check(seen.count == 1 && seen.why == kernel::fault::stack_overflow, "a stack that is exceeded is an overflow");
}
#else
void judge_registers() {}
void judge_what_the_kernel_uses() {}
#endif

#ifdef BATON_HAS_MPU
void judge_frame() {
  run(victim(wait_on_shared_memory));
  check(desk.value.goes_on == 1 && seen.count == 1 && seen.why == kernel::fault::stack_overflow,
        "a task calls from its own stack");
}

/// A stack may lie in memory that a region holds already.
void judge_open_stack(bool is_privileged) {
  kernel::task_description d = kernel::describe(3, use_open_stack, open_stack, "open");
  d.is_privileged = is_privileged;
  run(d);
  check(variable == 5 && seen.count == 0, "a stack may be an ordinary variable");
  variable = 0;
}
#else
void judge_frame() {}
void judge_open_stack(bool) {}
#endif

#if BATON_HAS_MPU == 8
void judge_overlaps() {
  const auto is_refused = [](const void* device) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(device) & ~uintptr_t{31};
    return outcome_of(kernel::with_device(at, 32, victim(end_at_once))) == kernel::ipc_result(error::bad_buffer).raw();
  };
  check(is_refused(&desk), "two pieces do not overlap");
  check(is_refused(misdeeds), "no piece overlaps the program");
}
#else
void judge_overlaps() {}
#endif

/// A piece among the variables of all is not private. The judge, who makes the task, is believed in
/// other things.
void judge_places() {
  static kernel::shared_memory<board> open_desk;
  kernel::task_description d = kernel::describe(3, end_without_state, open_stack, "open");
  d.touches.is_private = true;
  check(is_error(outcome_of(d), is_protected ? error::bad_stack : error::none), "private memory is declared for tasks");
  if (!is_kernel_protected) return;
  check(is_error(outcome_of(kernel::sharing(open_desk, victim(end_at_once))), error::bad_buffer),
        "a task shares what is declared as the kernel's");
}

/// A description that adds what it cannot is refused, and nothing of it is left out.
void judge_descriptions() {
  const auto is_refused = [](const kernel::task_description& d) { return is_error(outcome_of(d), error::bad_buffer); };
  check(is_refused(kernel::sharing(desk, open(end_at_once))), "only a private task shares an object");
  check(is_refused(kernel::with_device(a_device, 0x400, open(end_at_once))), "only a private task has a device");
  check(is_refused(kernel::sharing(strange, victim(end_at_once))), "a task shares one object");
}

void judge_all(void*) {
  kernel::create(kernel::sharing(desk, kernel::describe(4, own, owner_memory, "owner")));
  check(desk.value.data != nullptr, "the owner waits");
  judge_starts();
  judge_names();
  judge_children();
  judge_registers();
  judge_what_the_kernel_uses();
  judge_frame();
  judge_open_stack(false);
  judge_open_stack(true);
  judge_overlaps();
  judge_places();
  judge_descriptions();
  run(kernel::with_device(a_device, 0x400, victim(use_device)));
  check(desk.value.goes_on == 2 && seen.count == 0, "a device that is named is within reach");
  check(desk.value.results[0] == word_at(a_register), "its registers have their values");
  if (is_protected) {
    judge_open_tasks();
    judge_without_shared_memory();
    for (const misdeed& m : misdeeds) judge_misdeed(m);
    check(static_cast<const state*>(desk.value.data)->magic == 0x600d600d, "the owner's data is whole");
  }
  say(has_failed ? "verdict: bad" : "verdict: good");
  the_kernel.stop();
}

}  // namespace
}  // namespace private_tasks

int main() {
  using namespace private_tasks;
  baton::board::start();
  the_kernel.on_fault = hear;
  the_kernel.create(kernel::describe_privileged(2, judge_all, judge_stack, "judge"));
  the_kernel.run();
  baton::board::finish(has_failed ? 1 : 0);
}
