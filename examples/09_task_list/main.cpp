// SPDX-License-Identifier: MIT
//
// A list of all tasks: coroutines with the base `listed` can be printed with their states.
#include <baton/board.hpp>
#include <baton/core.hpp>

baton::board::console console;

baton::channel<uint8_t> jobs;

struct worker : baton::coroutine<worker, baton::listed<baton::timed_waiting>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(jobs.receive(job_));
    BATON_DELAY_MS(job_);
    BATON_SUSPEND();
    BATON_END();
  }

  uint8_t job_ = 0;
};

worker first;
worker second;
worker third;
worker fourth;

struct boss : baton::coroutine<boss, baton::listed<baton::timed_waiting>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    print("-- the boss has begun");
    first.start();
    second.start();
    third.start();
    print("-- three are started");
    BATON_YIELD();
    print("-- they wait for a job");
    BATON_WAIT(jobs.send(length_));  // the worker that has waited longest gets it
    BATON_WAIT(jobs.send(length_));
    BATON_YIELD();
    print("-- two work");
    BATON_DELAY_MS(150);
    print("-- two have suspended themselves");
    first.resume();
    BATON_YIELD();
    print("-- one was resumed");
    baton::scheduler::stop();
    BATON_END();
  }

  static void print(const char* title) {
    baton::print_line(console, title);
    baton::board::console console;
    baton::print_coroutines(console);
  }

  uint8_t length_ = 50;
};

boss the_boss;

int main() {
  baton::board::start();
  the_boss.name = BATON_TEXT("boss");
  first.name = BATON_TEXT("first");
  second.name = BATON_TEXT("second");
  third.name = BATON_TEXT("third");
  the_boss.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
