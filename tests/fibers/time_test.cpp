// SPDX-License-Identifier: MIT
#include "rig.hpp"

namespace {

using baton::port;
using baton::tick;

kernel::kernel_state* running;
tick seen[8];

void raise_event() {
  kernel::from_interrupt::raise_event(*running, 1);
}

void be_called(void*) {
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(kernel::wait_interrupt_event(1));
    seen[turn] = port::now();
    baton::sim::advance(20);
  }
}

void take_a_hundred(void*) {
  const tick begun = port::now();
  baton::sim::advance(100);
  seen[2] = port::now() - begun;
}

void sleep_forty(void*) {
  kernel::sleep(baton::ticks(40));
  seen[0] = port::now();
}

void set_both(void*) {
  port::alarm(70);
  kernel::sleep(baton::ticks(20));
  seen[0] = port::now();
  CHECK(baton::sim::clock::get().alarm_set);
  CHECK_EQ(baton::sim::clock::get().alarm, 70);
  port::alarm(30);
  kernel::sleep(baton::ticks(30));
  seen[1] = port::now();
  CHECK(!baton::sim::clock::get().alarm_set);
}

void say_that_it_waits(void*) {
  CHECK_EQ(kernel::wait_interrupt_event(2, baton::ticks(15)).why(), kernel::error::timed_out);
  seen[0] = port::now();
  CHECK(kernel::wait_interrupt_event(1, baton::ticks(1000)));
  seen[1] = port::now();
}

void end_the_run(void*) {
  for (int turn = 1; turn <= 3; ++turn) {
    seen[0] = static_cast<tick>(turn);
    static_cast<kernel::system<3>*>(running)->stop();
    kernel::yield();
  }
}

}  // namespace

TEST_CASE("a virtual interrupt preempts a task that takes time, and costs it none of its own") {
  static rig r;
  running = &r.system;
  baton::sim::interrupt first{0, raise_event, nullptr}, second{0, raise_event, nullptr};
  baton::sim::at(30, first);
  baton::sim::at(70, second);
  r.begin(2, be_called, "urgent");
  r.begin(1, take_a_hundred, "works");
  r.system.run();
  CHECK_EQ(seen[0], 30);
  CHECK_EQ(seen[1], 70);
  CHECK_EQ(seen[2], 140);
}

TEST_CASE("a timeout preempts a task that takes time") {
  static rig r;
  r.begin(2, sleep_forty, "urgent");
  r.begin(1, take_a_hundred, "works");
  r.system.run();
  CHECK_EQ(seen[0], 40);
  CHECK_EQ(seen[2], 100);
}

TEST_CASE("without a kernel that runs, taking time is what it was") {
  baton::sim::advance(100);
  CHECK_EQ(port::now(), 100);
}

TEST_CASE("the kernel's alarm and core's do not replace each other") {
  static rig r;
  r.begin(1, set_both, "task");
  r.system.run();
  CHECK_EQ(seen[0], 20);
  CHECK_EQ(seen[1], 50);
}

TEST_CASE("a timeout that is replaced by an earlier one and a later one is due when it says") {
  static rig r;
  running = &r.system;
  baton::sim::interrupt late{0, raise_event, nullptr};
  baton::sim::at(500, late);
  r.begin(2, say_that_it_waits, "waits");
  r.begin(1, sleep_forty, "sleeps");
  r.system.run();
  CHECK_EQ(seen[1], 500);
}

TEST_CASE("a run that was stopped goes on") {
  static rig r;
  running = &r.system;
  r.begin(1, end_the_run, "task");
  for (tick turn = 1; turn <= 3; ++turn) {
    r.system.run();
    CHECK_EQ(seen[0], turn);
  }
  r.system.run();
  CHECK_EQ(r.system.create(kernel::describe(1, sleep_forty, r.stacks[0], "next")).id >> 8, 2);
}
