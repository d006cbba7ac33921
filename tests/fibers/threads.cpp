// SPDX-License-Identifier: MIT
//
// Runs kernels on threads of their own under ThreadSanitizer: it must not report tasks, and must
// report a race. It has room for 65,536 calls on a stack; tasks that are ended deep in their calls
// would use that up if it took them for one stack.
#include <baton/kernel.hpp>
#include <pthread.h>
#include <stdio.h>

namespace kernel = baton::kernel;

namespace {

struct rig {
  kernel::system<5> system;
  kernel::stack<65536> stacks[5];
  long shared_by_tasks;
  int ended;
};

rig rigs[2];
long shared_by_threads;

/// Climbs so deep that a stack of calls that belongs to another task would be noticed.
__attribute__((noinline)) void climb(rig& r, int depth) {
  if (depth == 0) {
    ++r.shared_by_tasks;
    kernel::yield();
  } else {
    climb(r, depth - 1);
  }
  __asm__ volatile("" ::: "memory");
}

void work(void* argument) {
  for (int turn = 0; turn < 300; ++turn) climb(*static_cast<rig*>(argument), turn % 7);
}

__attribute__((noinline)) void descend(int depth) {
  if (depth == 0) {
    kernel::wait_notification(1);
  } else {
    descend(depth - 1);
  }
  __asm__ volatile("" ::: "memory");
}

void be_ended_deep_down(void*) {
  descend(60);
}

void end_children(void* argument) {
  rig& r = *static_cast<rig*>(argument);
  for (int turn = 0; turn < 1200; ++turn) {
    const kernel::created child = kernel::create(kernel::describe(2, be_ended_deep_down, r.stacks[3], "child"));
    if (kernel::kill(child.id)) ++r.ended;
  }
}

void race(void*) {
#if BATON_TEST_RACE
  ++shared_by_threads;
#endif
}

void* run(void* argument) {
  rig& r = *static_cast<rig*>(argument);
  for (int turn = 0; turn < 3; ++turn) {
    r.system.create(kernel::describe(1, work, r.stacks[0], "first", &r));
    r.system.create(kernel::describe(1, work, r.stacks[1], "second", &r));
    r.system.create(kernel::describe(1, race, r.stacks[2], "third", &r));
    if (turn == 0) r.system.create(kernel::describe_privileged(1, end_children, r.stacks[4], "fourth", &r));
    r.system.run();
  }
  return nullptr;
}

}  // namespace

int main() {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, run, &rigs[i]);
  for (pthread_t t : threads) pthread_join(t, nullptr);
  bool is_good = true;
  for (const rig& r : rigs) is_good = is_good && r.shared_by_tasks == 1800 && r.ended == 1200;
  printf("verdict: %s %ld\n", is_good ? "good" : "bad", shared_by_threads);
  return is_good ? 0 : 1;
}
