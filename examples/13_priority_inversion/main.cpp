// SPDX-License-Identifier: MIT
//
// A task of high priority needs a result from a task of low priority, while a task in between has a
// lot to do. If it asks with a notification bit, the kernel does not know that it waits for the low
// task: the middle one runs first, and the deadline is missed. If it sends a message, the low task
// inherits its priority until the reply, and the deadline is met.
//
// Each column of the trace is a millisecond of one task's work: # runs, ? the high task asks, ! it
// has its answer.
#include <baton/board.hpp>
#include <baton/kernel.hpp>

#include "../support/tasks.hpp"

using namespace baton::literals;

constexpr uint8_t low_works = 10, middle_works = 30;  // milliseconds
constexpr uint8_t deadline_ms = 20;
constexpr kernel::word asked = 1, answered = 2;  // notification bits
constexpr kernel::word high_is_done = 1, middle_is_done = 2, low_is_done = 4;

BATON_KERNEL_MEMORY kernel::system<4> program;
BATON_KERNEL_MEMORY task_stack director_stack, high_stack, middle_stack, low_stack;

bool asks_by_message;
kernel::tid director, high_task, low_task;
baton::tick took;

struct {
  char who;
  char mark;
} trace[low_works + middle_works + 2];
uint8_t traced;

void note(char who, char mark) {
  trace[traced].who = who;
  trace[traced++].mark = mark;
}

void work(char who, uint8_t milliseconds) {
  while (milliseconds--) {
    note(who, '#');
    work_a_millisecond();
  }
}

void low(void*) {
  if (asks_by_message) {
    const kernel::received m = kernel::receive(nullptr, 0);
    work('l', low_works);
    kernel::reply(m.client, nullptr, 0);
  } else {
    kernel::wait_notification(asked);
    work('l', low_works);
    kernel::notify(high_task, answered);
  }
  kernel::notify(director, low_is_done);
}

void middle(void*) {
  kernel::sleep(8500_us);
  work('m', middle_works);
  kernel::notify(director, middle_is_done);
}

void high(void*) {
  kernel::sleep(5_ms);
  const baton::tick began = kernel::now();
  note('h', '?');
  if (asks_by_message) {
    kernel::send(low_task, nullptr, 0, nullptr, 0);
  } else {
    kernel::notify(low_task, asked);
    kernel::wait_notification(answered);
  }
  note('h', '!');
  took = kernel::now() - began;
  kernel::notify(director, high_is_done);
}

void show(char who, const char* name) {
  for (const char* c = name; *c; ++c) baton::board::console::put(*c);
  for (uint8_t i = 0; i < traced; ++i) baton::board::console::put(trace[i].who == who ? trace[i].mark : ' ');
  say("|");
}

/// Has the lowest priority. So the three tasks have ended when it goes on, and their stacks are
/// free.
void direct(void*) {
  director = kernel::my_tid();
  for (uint8_t attempt = 0; attempt < 2; ++attempt) {
    asks_by_message = attempt == 1;
    traced = 0;
    low_task = kernel::create(kernel::describe(1, low, low_stack, "low")).id;
    kernel::create(kernel::describe(2, middle, middle_stack, "middle"));
    high_task = kernel::create(kernel::describe(3, high, high_stack, "high")).id;
    for (kernel::word done = 0; done != (high_is_done | middle_is_done | low_is_done);) {
      done |= kernel::wait_notification(~kernel::word{0}).bits;
    }
    say(asks_by_message ? "it sends a message, the low one inherits its priority:"
                        : "it sets a notification bit, and nobody inherits anything:");
    show('h', "high   |");
    show('m', "middle |");
    show('l', "low    |");
    const baton::duration five = 5_ms;
    const uint32_t about = static_cast<uint32_t>((took + five / 2) / five) * 5;
    say("answered after about ", about, " ms: the deadline of ", deadline_ms,
        about <= deadline_ms ? " is met" : " is missed");
  }
  program.stop();
}

int main() {
  baton::board::start();
  program.create(kernel::describe_privileged(0, direct, director_stack, "director"));
  program.run();
  baton::board::finish(0);
}
