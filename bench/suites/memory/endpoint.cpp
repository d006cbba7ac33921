// SPDX-License-Identifier: MIT
//
// The scheduler, an endpoint, a client and a server.
#include "program.hpp"

static baton::endpoint<int, int> questions;

struct first : baton::coroutine<first, baton::waiting> {
  baton::exchange<int, int> exchange;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      exchange.request = work;
      BATON_WAIT(questions.call(exchange));
      work = exchange.reply;
    }
    BATON_END();
  }
};

struct second : baton::coroutine<second, baton::waiting> {
  baton::served<int, int> question;

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(questions.receive(question));
      questions.reply(question, question.request() + 1);
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
