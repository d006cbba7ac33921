// SPDX-License-Identifier: MIT
//
// A task with privileges makes the hostile task again whenever that has ended, and checks that the
// kernel and the other tasks are whole. The program names each failed check; the last line is the
// verdict.
#include <baton/core/print.hpp>
#include <baton/kernel/print.hpp>

#include <baton/kernel/end_reports.hpp>

#include "state_of_kernel.hpp"

namespace hostile {

BATON_KERNEL_MEMORY kernel::system<8, 8, 2> the_kernel{nullptr};
BATON_KERNEL_MEMORY kernel::end_reports<2> reports{the_kernel};
BATON_TASK_MEMORY kernel::private_stack<piece_bytes> hostile_stack;
BATON_KERNEL_MEMORY kernel::private_stack<good_stack_bytes> ping_stack, pong_stack, timer_stack;
BATON_TASK_MEMORY kernel::private_stack<child_stack_bytes> child_stacks[2];
BATON_KERNEL_MEMORY uint32_t fence[fence_words];
#ifdef BATON_PRIVATE_MEMORY
BATON_KERNEL_MEMORY kernel::shared_memory<common> shared;
#else
common_variable shared;
#endif
uint32_t ordinary;

namespace {

constexpr uint32_t wanted_calls = BATON_TEST_CALLS;
constexpr uint32_t fence_pattern = 0x5ca1ab1e;

BATON_KERNEL_MEMORY kernel::stack<1024> supervisor_stack;

/// The knowledge of the supervisor and of the kernel's hook.
BATON_KERNEL_MEMORY struct {
  bool has_failed;
  uint8_t said[2];  // the lines on faults of children, and of the hostile task
  uint32_t faults, misnamed, made, stalled;
  protection regions;
  progress sum;
} known;
BATON_KERNEL_MEMORY state_of_kernel first_state;

void say(const char* text) {
  baton::print_line(baton::board::console{}, text);
}

bool check(bool holds, const char* what) {
  if (!holds && !known.has_failed) {
    baton::board::console out;
    baton::print_line(out, "missing: ", what);
    kernel::print_tasks(out, the_kernel);
  }
  known.has_failed |= !holds;
  return holds;
}

/// A task may name its child by any short text among the constants.
bool is_name(const char* name) {
  if (!name) return true;
  word n = 0;
  while (n <= kernel::longest_task_name && name[n]) ++n;
  return n <= kernel::longest_task_name && is_constant(reinterpret_cast<word>(name), n + 1);
}

/// Reads the name of the task, as a hook that prints does.
void hear_of_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why, word address) {
  ++known.faults;
  if (!is_name(t.name)) ++known.misnamed;
  uint8_t& said = known.said[t.name && t.name[0] == 'h'];
  if (said < 2) baton::kernel_switch::say_fault(m, t, why, address);
  said += said < 2;
}

/// A task that may notice nothing, as the supervisor sees it.
struct good_task {
  const char* name;
  const diary& block;
  uint32_t seen;
  uint32_t checked;

  void look() {
    if (block.entries == 0 || block.entries % 2 != 0) return;  // it is writing
    if (!block.is_whole()) check(false, name);
    if (block.entries != seen) ++checked;
    seen = block.entries;
  }
};

void check_kernel() {
  const state_of_kernel now = state_of_kernel::read(the_kernel);
  check(now == first_state, "the kernel's constants and the other tasks' places are whole");
  check(links_are_whole(the_kernel), "the kernel's queues are whole");
  for (const uint32_t& w : fence) check(w == fence_pattern, "the kernel's memory is whole");
  check(protection::read() == known.regions, "the protection of memory is as it was");
  check(!are_private || ordinary == 0, "ordinary variables are whole");
  check(known.misnamed == 0, "a fault names its task");
  check(shared.value.went_through == 0, "no task touches what it may not");
}

/// Ends what the hostile task has left, and makes it again.
kernel::tid make_again() {
  for (const kernel::tcb* t = the_kernel.table; t != the_kernel.table + the_kernel.slots; ++t) {
    if (!t->is_free() && t->base_priority <= hostile_priority) kernel::kill(t->id);
  }
  ++known.made;
  void* const seed = reinterpret_cast<void*>((known.made + BATON_TEST_SEED * 0x10000u) * 0x9e3779b9u);
  const kernel::created c =
      kernel::create(with_common(kernel::describe(hostile_priority, be_hostile, hostile_stack, "hostile", seed)));
  check(static_cast<bool>(c), "the hostile task is made again");
  return c.id;
}

/// Adds the calls since the last time. Returns whether there were any.
bool take_counts() {
  constexpr uint32_t most = 2000;  // in the time between
  if (shared.value.counts.calls < most) known.sum.calls += shared.value.counts.calls;
  const bool any = shared.value.counts.calls != 0;
  for (uint8_t i = 0; i < kernel::calls; ++i) {
    if (shared.value.counts.succeeded[i] < most) known.sum.succeeded[i] += shared.value.counts.succeeded[i];
  }
  for (uint8_t i = 0; i <= kernel::calls; ++i) {
    if (shared.value.counts.refused[i] < most) known.sum.refused[i] += shared.value.counts.refused[i];
  }
  shared.value.counts = {};
  return any;
}

/// Sums the calls that can fail.
void check_counts() {
  const progress& sum = known.sum;
  uint32_t succeeded = 0, refused = sum.refused[kernel::calls];
  for (uint8_t i = 0; i < kernel::calls; ++i) {
    succeeded += sum.succeeded[i];
    refused += sum.refused[i];
    if (sum.succeeded[i] + sum.refused[i] == 0) continue;
    baton::print_line(baton::board::console{}, "call ", i, ": ", sum.succeeded[i], " succeeded, ", sum.refused[i],
                      " refused");
    check(sum.succeeded[i] != 0, "each call that can fail succeeds now and then");
  }
  baton::print_line(baton::board::console{}, "calls ", sum.calls, ", of those that can fail ", succeeded,
                    " succeeded, ", refused, " refused; faults ", known.faults, ", made ", known.made, ", stalled ",
                    known.stalled);
  const uint32_t cannot_fail = sum.calls - succeeded - refused;
  check(3 * (succeeded + cannot_fail) >= sum.calls, "a third of the calls succeed");
  check(4 * succeeded >= succeeded + refused, "a quarter of the calls that can fail succeed");
  check(known.faults > wanted_calls / 2000, "tasks are ended for their faults");
}

void supervise(void*) {
  good_task goods[] = {{"ping goes on, and its memory is whole", diary_of(ping_stack), 0, 0},
                       {"pong goes on, and its memory is whole", diary_of(pong_stack), 0, 0},
                       {"the timer task goes on, and its memory is whole", diary_of(timer_stack), 0, 0}};
  known.regions = protection::read();
  first_state = state_of_kernel::read(the_kernel);
  kernel::tid victim = kernel::no_task;
  uint8_t still = 0;
  while (known.sum.calls < wanted_calls && !known.has_failed) {
    still = take_counts() ? 0 : still + 1;
    if (still == 2) {
      ++known.stalled;
      kernel::kill(victim);
    }
    if (kernel::notify(victim, 1).why() == kernel::error::bad_task) victim = make_again();
    kernel::sleep(baton::milliseconds(1));
    kernel::from_interrupt::raise_event(the_kernel, 0);
    check_kernel();
    for (good_task& t : goods) t.look();
  }
  for (const good_task& t : goods) check(t.checked > wanted_calls / 1000, t.name);
  check_counts();
  say(known.has_failed ? "verdict: bad" : "verdict: good");
  the_kernel.stop();
}

}  // namespace
}  // namespace hostile

int main() {
  using namespace hostile;
  baton::board::start();
  for (uint32_t& w : fence) w = fence_pattern;
  the_kernel.on_fault = hear_of_fault;
  const kernel::created partner = the_kernel.create(alone(kernel::describe(pong_priority, pong, pong_stack, "pong")));
  void* const partner_id = reinterpret_cast<void*>(partner.id);
  the_kernel.create(alone(kernel::describe(ping_priority, ping, ping_stack, "ping", partner_id)));
  the_kernel.create(alone(kernel::describe(timer_priority, keep_time, timer_stack, "timer")));
  the_kernel.create(kernel::describe_privileged(supervisor_priority, supervise, supervisor_stack, "supervisor"));
  the_kernel.run();
  baton::board::finish(known.has_failed ? 1 : 0);
}
