// SPDX-License-Identifier: MIT
//
// Coroutines and tasks use the same primitives on the real clock: core's timers and the kernel's
// run beside each other, and a task is ended in the middle. Every number must arrive once and in
// order, and no delay may end early.
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/coroutine_server.hpp>

namespace kernel = baton::kernel;
using baton::status;

namespace {

constexpr uint16_t rounds = 200;

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

volatile uint16_t failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  failures = static_cast<uint16_t>(failures + 1);
  if (failures > 20) return;
  print("failed: ");
  print(what);
  print("\r\n");
}

using task_stack = kernel::stack<4 * baton::kernel_port::least_stack>;
using coroutines_stack = kernel::stack<8 * baton::kernel_port::least_stack>;

BATON_KERNEL_MEMORY kernel::system<8> program;
BATON_KERNEL_MEMORY coroutines_stack stack_of_coroutines;
BATON_KERNEL_MEMORY task_stack stacks[6];
kernel::coroutine_server<4, 32> coroutines;

kernel::reachable<baton::channel<uint16_t>> numbers;
kernel::reachable<baton::endpoint<uint16_t, uint32_t>> coroutines_desk, tasks_desk;
kernel::reachable<baton::channel<uint16_t>> nothing;

/// Sends a number each half millisecond, by core's timer.
struct counter : baton::coroutine<counter, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (number_ = 1; number_ <= rounds; ++number_) {
      before_ = baton::port::now();
      BATON_DELAY_US(500);
      check(baton::is_due(before_ + baton::microseconds(500), baton::port::now()), "a coroutine's delay is not early");
      BATON_WAIT(numbers.send(number_));
    }
    check(coroutines.free_slots() > 0, "slots are free again");
    BATON_END();
  }
  baton::tick before_ = 0;
  uint16_t number_ = 0;
};

/// Serves tasks.
struct squarer : baton::coroutine<squarer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(coroutines_desk.receive(s_));
      coroutines_desk.reply(s_, static_cast<uint32_t>(s_.request()) * s_.request());
    }
    BATON_END();
  }
  baton::served<uint16_t, uint32_t> s_;
};

/// Calls a task.
struct caller : baton::coroutine<caller, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i_ = 1; i_ <= rounds; ++i_) {
      x_.request = i_;
      BATON_WAIT(tasks_desk.call(x_));
      check(result() == status::ok && x_.reply == i_ * 3u, "a coroutine gets a task's reply");
    }
    is_done = true;
    BATON_END();
  }
  baton::exchange<uint16_t, uint32_t> x_;
  uint16_t i_ = 0;
  bool is_done = false;
};

counter the_counter;
squarer the_squarer;
caller the_caller;

void receive_numbers(void*) {
  uint16_t timeouts = 0;
  for (uint16_t expected = 1; expected <= rounds;) {
    uint16_t number = 0;
    const status s = coroutines.receive(numbers, number, baton::microseconds(300));
    if (s == status::ok) check(number == expected++, "numbers arrive once and in order");
    if (s == status::timed_out) ++timeouts;
    check(s == status::ok || s == status::timed_out, "a receive ends well or in time");
  }
  check(timeouts > 0, "some receives time out");
}

void ask(void*) {
  for (uint16_t i = 1; i <= rounds; ++i) {
    uint32_t square = 0;
    const status s = coroutines.call(coroutines_desk, i, square, baton::seconds(1));
    check(s == status::ok && square == static_cast<uint32_t>(i) * i, "a task gets a coroutine's reply");
  }
}

void serve(void*) {
  for (uint16_t i = 0; i < rounds; ++i) {
    uint16_t question = 0;
    kernel::reply_right right;
    check(coroutines.receive(tasks_desk, question, right) == status::ok, "a task receives a coroutine's request");
    check(coroutines.reply(tasks_desk, right, question * 3u) == status::ok, "a task replies to a coroutine");
  }
}

/// Sleeps by the kernel's timer, with another period than core's.
void sleep(void*) {
  for (uint16_t i = 0; i < rounds; ++i) {
    const baton::tick before = kernel::now();
    kernel::sleep(baton::microseconds(700));
    check(baton::is_due(before + baton::microseconds(700), kernel::now()), "a task's sleep is not early");
  }
}

void wait_for_ever(void*) {
  uint16_t number;
  coroutines.receive(nothing, number);
  check(false, "nothing was sent");
}

void conduct(void*) {
  for (uint8_t i = 0; i < 20; ++i) {
    const kernel::created victim = kernel::create(kernel::describe(4, wait_for_ever, stacks[5], "victim"));
    check(static_cast<bool>(victim), "a victim's stack is free again");
    kernel::sleep(baton::microseconds(900));
    check(kernel::kill(victim.id).is_ok(), "the victim waits");
  }
  kernel::sleep(baton::milliseconds(400));
  check(the_caller.is_done, "the coroutine has called");
  check(coroutines.free_slots() == 4, "nothing of those who ended is left");
  check(coroutines.send(nothing, 1, baton::duration()) == status::full, "nobody receives");
  program.stop();
}

}  // namespace

int main() {
  baton::board::start();
  coroutines.create(program, 5, stack_of_coroutines);
  coroutines.open(numbers);
  coroutines.open(nothing);
  coroutines.open(coroutines_desk);
  coroutines.open(tasks_desk);
  the_counter.start();
  the_squarer.start();
  the_caller.start();
  kernel::tid ids[5] = {
      program.create(kernel::describe(1, ask, stacks[0], "ask")).id,
      program.create(kernel::describe(2, serve, stacks[1], "serve")).id,
      program.create(kernel::describe(3, receive_numbers, stacks[2], "receive")).id,
      program.create(kernel::describe(6, sleep, stacks[3], "sleep")).id,
      program.create(kernel::describe_privileged(0, conduct, stacks[4], "conduct")).id,
  };
  program.run();
  for (uint8_t i = 0; i < 4; ++i) check(!program.find(ids[i]), "a task has ended");
  check(the_counter.is_done(), "all numbers were sent");
  print(failures ? "verdict: bad\r\n" : "verdict: good\r\n");
  baton::board::finish(failures ? 1 : 0);
}
