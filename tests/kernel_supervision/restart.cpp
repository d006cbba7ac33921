// SPDX-License-Identifier: MIT
//
// A server fails in three ways. Each time its supervisor, which has no privileges, is told of it
// with the registers of the instruction, and restarts it; its client, whose call has ended with
// peer_gone, asks the new one.
#include <baton/kernel/supervisor.hpp>

#include "program.hpp"

using namespace supervision;

namespace {

BATON_KERNEL_MEMORY kernel::system<5> the_kernel;
BATON_KERNEL_MEMORY kernel::end_reports<4> reports{the_kernel};
BATON_KERNEL_MEMORY kernel::stack<1024> supervisor_stack, judge_stack;
BATON_TASK_MEMORY kernel::stack<512> server_stack;
BATON_TASK_MEMORY kernel::stack<512> client_stack;

enum misdeed : uint32_t { execute, access, overflow, misdeeds };

volatile uint32_t done;
kernel::tid server;
kernel::end_report seen[misdeeds];
volatile uint32_t reported;

/// Calls itself until its stack has been exceeded, where the processor finds that.
__attribute__((noinline)) uint32_t go_down(uint32_t levels) {
  volatile uint32_t here[8];
  here[0] = levels;
  return levels == 0 ? 0 : go_down(levels - 1) + here[0];
}

/// Exceeds the stack. Elsewhere the kernel finds it when the task waits, by the lowest word.
void overflow_stack() {
  if (baton::kernel_port::guards_stacks) {
    done = done + (go_down(sizeof server_stack / 32) & 0);
  } else {
    server_stack.words[0] = 0;
    kernel::sleep(baton::ticks(1));
  }
}

void do_wrong(uint32_t what) {
  if (what == access && baton::kernel_port::protects_memory) *reinterpret_cast<volatile uint32_t*>(&the_kernel) = 0;
  if (what == overflow) overflow_stack();
  execute_undefined();
}

/// Answers twice, and then does what is wrong next.
void serve(void*) {
  server = kernel::my_tid();
  uint32_t n = 0;
  kernel::received m = kernel::receive(&n, sizeof n);
  for (int i = 0; i < 2 || done == misdeeds; ++i) {
    ++n;
    m = kernel::reply_receive(m.client, &n, sizeof n, &n, sizeof n);
  }
  const uint32_t what = done;
  done = what + 1;
  do_wrong(what);
}

void hear(const kernel::end_report& r) {
  seen[reported] = r;
  reported = reported + 1;
  console c;
  kernel::print_end(c, r);
}

void supervise(void*) {
  kernel::supervisor<1> of{kernel::restart_scope::one};
  of.on_end(&hear);
  of.add(kernel::describe(2, serve, server_stack, "server"), kernel::restart_when::always);
  of.run();
}

/// Calls the server as long as it answers. Returns the number of answers.
uint32_t call_until_it_ends() {
  uint32_t answers = 0;
  for (uint32_t n = 0;; ++answers) {
    const kernel::ipc_result o = kernel::send(server, &n, sizeof n, &n, sizeof n);
    if (o.why() == kernel::error::peer_gone) return answers;
    if (!o || n != answers + 1) return 100;
  }
}

void judge_report(const kernel::end_report& r, const char* name, uint32_t what) {
  check(r.how == kernel::ending::failed && r.name == name && r.lost == 0, "the report names the task that has failed");
  const bool is_overflow = what == overflow;
  check((r.why == kernel::fault::stack_overflow) == is_overflow, "the report says why");
  if (is_overflow) return;
  const uintptr_t stack = reinterpret_cast<uintptr_t>(&server_stack);
  check(r.registers.sp > stack && r.registers.sp <= stack + sizeof server_stack, "the stack pointer is the task's");
  check(r.registers.pc != 0 && r.registers.lr != 0, "the program counter and the return address are known");
  if (what == access && baton::kernel_port::protects_memory) {
    check(r.why == kernel::fault::bad_access && r.address == reinterpret_cast<uintptr_t>(&the_kernel),
          "the report says what was touched");
  }
  if (what != execute) return;
  const uintptr_t code = reinterpret_cast<uintptr_t>(&execute_undefined) & ~uintptr_t{1};
  check(r.registers.pc - code < 16, "the program counter is that of the instruction");
}

void ask(void*) {
  for (uint32_t what = 0; what != misdeeds; ++what) {
    check(call_until_it_ends() == 2, "the server answers until it fails, and its client hears of it");
    const kernel::tid former = server;
    while (server == former) kernel::sleep(baton::milliseconds(1));
  }
  uint32_t n = 6;
  check(kernel::send(server, &n, sizeof n, &n, sizeof n).length() == sizeof n && n == 7, "the last server answers");
}

void judge(void*) {
  const kernel::created client = kernel::create(kernel::describe(1, ask, client_stack, "client"));
  kernel::end_report r;
  check(kernel::wait_end_report(r, baton::milliseconds(3000)) && r.id == client.id, "the client comes to its end");
  check(r.how == kernel::ending::exited, "the client exits");
  check(reported == misdeeds, "each fault is reported once");
  for (uint32_t what = 0; what != misdeeds; ++what) judge_report(seen[what], seen[0].name, what);
  the_kernel.stop();
}

}  // namespace

int main() {
  baton::board::start();
  the_kernel.create(kernel::describe(4, supervise, supervisor_stack, "supervisor"));
  the_kernel.create(kernel::describe_privileged(3, judge, judge_stack, "judge"));
  the_kernel.run();
  finish();
}
