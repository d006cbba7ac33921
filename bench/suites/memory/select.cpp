// SPDX-License-Identifier: MIT
//
// As channel, with two channels and a receiver that waits for the first message of either.
#include "program.hpp"

static baton::channel<int> numbers, others;

struct first : baton::coroutine<first, baton::waiting> {
  int sent;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      sent = work;
      BATON_WAIT(numbers.send(sent));
      BATON_WAIT(others.send(sent));
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::selecting<2>> {
  int received;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_SELECT(numbers.receive(received), others.receive(received));
      work = received + selected();
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
