// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <memory>
#include <thread>

namespace {

void serve(void*) {
  uint32_t n;
  for (kernel::received m = kernel::receive(&n, sizeof n); m;
       m = kernel::reply_receive(m.client, &n, sizeof n, &n, sizeof n))
    ++n;
}

struct job_of_client {
  kernel::tid server;
  uint32_t sum;
};

void ask(void* argument) {
  job_of_client& j = *static_cast<job_of_client*>(argument);
  for (uint32_t i = 0; i < 1000; ++i) {
    uint32_t n = i;
    kernel::send(j.server, &n, sizeof n, &n, sizeof n);
    j.sum += n;
  }
}

/// Runs a whole system to its end.
uint32_t sum_of_a_run(rig& r) {
  job_of_client j = {r.begin(1, serve, "server").id, 0};
  r.begin(1, ask, "client", &j);
  r.system.run();
  return j.sum;
}

constexpr uint32_t expected = 1000 * 999 / 2 + 1000;

/// Leaves a frame with an array in the middle of its stack, and is ended there.
void be_ended(void*) {
  volatile char large[2000];
  for (size_t i = 0; i < sizeof large; ++i) large[i] = 1;
  kernel::receive(const_cast<char*>(large), sizeof large);
}

void use_all_of_it(void* argument) {
  volatile char larger[8000];
  for (size_t i = 0; i < sizeof larger; ++i) larger[i] = 1;
  *static_cast<int*>(argument) += larger[7999];
}

struct ending {
  rig& r;
  int used;
};

void end_the_other(void* argument) {
  ending& e = *static_cast<ending*>(argument);
  for (int turn = 0; turn < 3; ++turn) {
    kernel::created c = kernel::create(kernel::describe(1, be_ended, e.r.stacks[1], "ended"));
    kernel::yield();
    kernel::task_report report;
    CHECK(kernel::inspect(1, report));
    CHECK(report.stack_used >= 2000);
    CHECK(kernel::kill(c.id));
    CHECK(kernel::create(kernel::describe(1, use_all_of_it, e.r.stacks[1], "next", &e.used)));
    kernel::yield();
  }
}

}  // namespace

TEST_CASE("several systems run one after another") {
  for (int turn = 0; turn < 3; ++turn) {
    std::unique_ptr<rig> r(new rig);
    CHECK_EQ(sum_of_a_run(*r), expected);
  }
}

TEST_CASE("each thread runs a system of its own") {
  static rig rigs[4];
  uint32_t sums[4] = {};
  std::thread threads[4];
  for (int i = 0; i < 4; ++i) threads[i] = std::thread([i, &sums] { sums[i] = sum_of_a_run(rigs[i]); });
  for (std::thread& t : threads) t.join();
  for (uint32_t sum : sums) CHECK_EQ(sum, expected);
}

TEST_CASE("the stack of a task that was ended in the middle is another's") {
  static rig r;
  ending e = {r, 0};
  r.begin(1, end_the_other, "ends", &e);
  r.begun = 2;
  r.system.run();
  CHECK_EQ(e.used, 3);
}
