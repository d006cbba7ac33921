// SPDX-License-Identifier: MIT
//
// The scheduler, a channel, a coroutine that sends and one that receives.
#include "program.hpp"

static baton::channel<int> numbers;

struct first : baton::coroutine<first, baton::waiting> {
  int sent;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      sent = work;
      BATON_WAIT(numbers.send(sent));
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::waiting> {
  int received;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(numbers.receive(received));
      work = received;
    }
    BATON_END();
  }
};

static first a;
static second b;

int main() {
  start();
  a.start();
  b.start();
  baton::scheduler::run();
}
