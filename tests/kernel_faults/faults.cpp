// SPDX-License-Identifier: MIT
//
// Tasks do forbidden things, one after the other: each ends, its name and its fault are reported,
// and the kernel and the other tasks go on. The program names each failed check; the last line is
// the verdict.
#include "program.hpp"

#include "misdeeds.hpp"

namespace faults {

BATON_KERNEL_MEMORY kernel::system<6> the_kernel;
BATON_KERNEL_MEMORY kernel::stack<256> server_stack;
BATON_KERNEL_MEMORY kernel::stack<1024> judge_stack;
BATON_KERNEL_MEMORY kernel::stack<256> beat_stack;
#ifdef BATON_HAS_MPU
BATON_KERNEL_MEMORY kernel::stack<512> victim_stack;
#else
guarded victim_memory;
#endif
kernel::tid server;
volatile uint32_t beats;

namespace {

bool all_hold = true;

/// The kernel's report of the last fault.
struct {
  uint8_t count;
  const char* name;
  kernel::fault why;
} seen;

void remember(const kernel::kernel_state&, const kernel::tcb& t, kernel::fault why, kernel::word) {
  ++seen.count;
  seen.name = t.name;
  seen.why = why;
}

/// Replies with the next number to any client.
void serve(void*) {
  uint32_t n = 0;
  kernel::received m = kernel::receive(&n, sizeof n);
  for (;;) {
    ++n;
    m = kernel::reply_receive(m.client, &n, sizeof n, &n, sizeof n);
  }
}

void beat(void*) {
  for (;;) {
    kernel::sleep(baton::milliseconds(1));
    beats = beats + 1;
  }
}

bool all_is_well() {
  uint32_t n = beats, answer = 0;
  const kernel::ipc_result o = kernel::send(server, &n, sizeof n, &answer, sizeof answer);
  kernel::sleep(baton::microseconds(2500));
  return o.length() == sizeof answer && answer == n + 1 && beats != n;
}

const char victim[] = "victim";

/// Runs a task of higher priority than the judge until its end.
void run(void (*entry)(void*), bool is_privileged) {
  seen = {};
  kernel::task_description d = kernel::describe(3, entry, victim_stack, victim);
  d.is_privileged = is_privileged;
  const kernel::created t = kernel::create(d);
  check(static_cast<bool>(t), "the victim begins");
  check(all_is_well(), "the others go on");
  check(kernel::notify(t.id, 1).why() == kernel::error::bad_task, "the victim has ended");
}

void judge(const misdeed& m) {
  say(m.name);
  say("\n");
  run(m.commit, m.is_privileged);
  check(seen.count == 1, "one fault is reported");
  check(seen.name == victim, "the fault names its task");
  check(seen.why == m.why, "the fault says why");
}

/// Runs a task that does nothing that ends it.
void let(void (*entry)(void*), const char* name) {
  say(name);
  say("\n");
  run(entry, false);
  check(seen.count == 0, "no fault is reported");
}

/// Checks all misdeeds. The first fault is reported on the console, because the application has no
/// listener yet.
void judge_all(void*) {
  kernel::create(kernel::describe(3, overflow, victim_stack, "the first victim"));
  check(all_is_well(), "the others go on after the first fault");
  the_kernel.on_fault = remember;
  for (const misdeed& m : misdeeds) judge(m);
  let(ask_wrongly, "wrong arguments");
  make_child_of_what_its_stack_holds();
  let(ask_for_children, "children");
  let(lend_memory, "leases");
  if (is_protected) {
    let(ask_for_children_where_memory_is_protected, "children of what is not the task's");
    let(lend_what_is_not_its_own, "leases of what is not the task's");
    let(ask_wrongly_where_memory_is_protected, "what is not the task's");
    for (void (*entry)(void*) : harmless_deeds) let(entry, "what has no effect");
  }
  say(all_hold ? "verdict: good\n" : "verdict: bad\n");
  the_kernel.stop();
}

}  // namespace

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

bool check(bool holds, const char* what) {
  if (!holds) {
    all_hold = false;
    say("missing: ");
    say(what);
    say("\n");
  }
  return holds;
}

bool verdict() {
  return all_hold;
}

}  // namespace faults

int main() {
  using namespace faults;
  baton::board::start();
  server = the_kernel.create(kernel::describe(2, serve, server_stack, "server")).id;
  the_kernel.create(kernel::describe(4, beat, beat_stack, "beat"));
  the_kernel.create(kernel::describe_privileged(1, judge_all, judge_stack, "judge"));
  the_kernel.run();
  baton::board::finish(verdict() ? 0 : 1);
}
