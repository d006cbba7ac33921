// SPDX-License-Identifier: MIT
//
// As channel, with a deadline of 10 ms on each wait.
#include "program.hpp"

static baton::channel<int> numbers;

struct first : baton::coroutine<first, baton::deadline> {
  int sent;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      sent = work;
      BATON_WAIT_FOR(baton::milliseconds(10), numbers.send(sent));
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::deadline> {
  int received;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(baton::milliseconds(10), numbers.receive(received));
      if (result() == baton::status::ok) work = received;
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
