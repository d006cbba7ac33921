// SPDX-License-Identifier: MIT
//
// Tests the board's own port against kernel/include/baton/kernel/port.hpp. The program names the
// missing parts; the last line is the verdict.
#include <baton/board.hpp>
#include <baton/kernel.hpp>

namespace kernel = baton::kernel;
using baton::port;
using baton::tick;
using baton::tick_difference;

namespace {

constexpr tick ms = port::ticks_per_second / 1000;

BATON_KERNEL_MEMORY kernel::system<3, 3, 1> tasks;
using task_stack = kernel::stack<4 * baton::kernel_port::least_stack>;
BATON_KERNEL_MEMORY task_stack main_stack, other_stack;

bool all_hold = true;

void check(bool holds, const char* what) {
  if (holds) return;
  all_hold = false;
  for (const char* p = "missing: "; *p; ++p) baton::board::console::put(*p);
  for (const char* p = what; *p; ++p) baton::board::console::put(*p);
  baton::board::console::put('\n');
}

void copies() {
  struct {
    alignas(8) unsigned char bytes[64];
  } from, to;
  for (unsigned i = 0; i < sizeof from.bytes; ++i) from.bytes[i] = static_cast<unsigned char>(i * 3 + 1);
  bool holds = true;
  for (unsigned ends = 0; ends < 64; ++ends) {
    const unsigned in = ends % 8, out = ends / 8;
    for (unsigned bytes = 0; bytes <= 40; ++bytes) {
      for (unsigned char& c : to.bytes) c = 0xa5;
      baton::kernel_port::copy(to.bytes + out, from.bytes + in, bytes);
      for (unsigned i = 0; i < sizeof to.bytes; ++i) {
        const bool is_copied = i >= out && i - out < bytes;
        holds = holds && to.bytes[i] == (is_copied ? from.bytes[i - out + in] : 0xa5);
      }
    }
  }
  check(holds, "copy() copies any length, from any alignment to any");
}

struct seen {
  void* argument;
  uintptr_t local;
  kernel::tid id;
  bool goes_on;
};
volatile uint8_t turns;
BATON_KERNEL_MEMORY seen first_task;

void begin_and_return(void* argument) {
  uint64_t aligned = 0;
  __asm__ volatile("" ::"r"(&aligned) : "memory");
  first_task.argument = argument;
  first_task.local = reinterpret_cast<uintptr_t>(&aligned);
  first_task.id = kernel::my_tid();
}

void beginning() {
  const kernel::created c =
      kernel::create(kernel::describe_privileged(2, begin_and_return, other_stack, "begins", &main_stack));
  const uintptr_t from = reinterpret_cast<uintptr_t>(other_stack.words);
  check(first_task.argument == &main_stack, "a task begins with its argument");
  check(first_task.local > from && first_task.local < from + sizeof other_stack, "a task runs on its stack");
  check(first_task.local % alignof(uint64_t) == 0, "a task's stack is aligned as the processor wants it");
  check(first_task.id == c.id && c.id != kernel::no_task, "a call gives back both of its words");
  check(kernel::kill(c.id).why() == kernel::error::bad_task, "a task that returns has ended");
}

bool is_between(tick since, tick least, tick most) {
  const tick passed = port::now() - since;
  return passed >= least && passed < most;
}

/// The coroutine server notices core's alarm; the kernel's alarm wakes a task. The bounds are
/// generous, because a host has other work, too.
void alarms() {
  tick begun = port::now();
  port::alarm(begun + 100 * ms);
  kernel::sleep(baton::ticks(5 * ms));
  check(is_between(begun, 5 * ms, 95 * ms), "the kernel's alarm is heard before core's");
  tasks.coroutine_server = tasks.find(kernel::my_tid());
  bool is_heard = false;
  while (!is_heard && port::now() - begun < 1000 * ms) {  // an alarm may come too early, which costs one more test
    port::attention::lower();
    if (!kernel::wait_notification(kernel::attention_notification, baton::ticks(2000 * ms))) break;
    is_heard = is_between(begun, 100 * ms, 1000 * ms);
  }
  check(is_heard, "the kernel's alarm leaves core's as it is");
  tasks.coroutine_server = nullptr;
  begun = port::now();
  port::alarm(begun + 5 * ms);
  kernel::sleep(baton::ticks(50 * ms));
  check(is_between(begun, 50 * ms, 1000 * ms), "core's alarm leaves the kernel's as it is");
}

void idles() {
  const tick before = tasks.idle_ticks;
  kernel::sleep(baton::ticks(20 * ms));
  const tick idle = tasks.idle_ticks - before;
  check(idle >= 10 * ms && idle < 1000 * ms, "sleep is added to idle_ticks");
}

void turn(void*) {
  for (;;) {
    if (turns != 255) turns = static_cast<uint8_t>(turns + 1);
#if !BATON_TEST_PREEMPTS
    kernel::my_tid();
#endif
  }
}

/// A timeout preempts: on a device anywhere in the other task, on a host at a call.
void preempts() {
  const kernel::created c = kernel::create(kernel::describe(0, turn, other_stack, "turns"));
  for (uint8_t i = 0; i < 5; ++i) kernel::sleep(baton::ticks(ms));
  check(turns != 0, "a less urgent task runs meanwhile");
  kernel::kill(c.id);
}

void look(void*) {
  copies();
  beginning();
  alarms();
  idles();
  preempts();
  first_task.goes_on = false;
  tasks.stop();
  kernel::yield();
  first_task.goes_on = true;
  tasks.stop();
}

void finish() {
  for (const char* p = all_hold ? "verdict: good\n" : "verdict: bad\n"; *p; ++p) baton::board::console::put(*p);
  baton::board::finish(all_hold ? 0 : 1);
}

}  // namespace

int main() {
  baton::board::start();
  tasks.create(kernel::describe_privileged(1, look, main_stack, "looks"));
  tasks.run();
  check(!first_task.goes_on, "stop() makes run() return");
  tasks.run();
  check(first_task.goes_on, "run() goes on");
  finish();
  return 0;
}
