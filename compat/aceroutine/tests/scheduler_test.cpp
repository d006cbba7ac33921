// SPDX-License-Identifier: MIT
#include "support.hpp"

// The order of visits, and the effect of a visit on a status.

namespace {

baton::test::text_sink<64> ran;

void start_over() {
  ran = baton::test::text_sink<64>{};
}

}  // namespace

using Order = in_list<1>;
COROUTINE(Order, order_a) {
  COROUTINE_LOOP() {
    ran.put('a');
    COROUTINE_YIELD();
  }
}
COROUTINE(Order, order_b) {
  COROUTINE_LOOP() {
    ran.put('b');
    COROUTINE_YIELD();
  }
}
COROUTINE(Order, order_c) {
  COROUTINE_LOOP() {
    ran.put('c');
    COROUTINE_YIELD();
  }
}

TEST_CASE("one loop() visits one coroutine, the one that was made last first, and then begins again") {
  start_over();
  scheduler_of<Order>::setup();
  visit<Order>();
  CHECK_TEXT(ran, "c");
  visit<Order>(6);
  CHECK_TEXT(ran, "cbacbac");
}

TEST_CASE("the list is last in, first out, and ends with null") {
  CHECK(*Order::getRoot() == &order_c);
  CHECK(*order_c.getNext() == &order_b);
  CHECK(*order_b.getNext() == &order_a);
  CHECK(*order_a.getNext() == nullptr);
}

TEST_CASE("setup() begins with the first again") {
  start_over();
  scheduler_of<Order>::setup();
  visit<Order>(2);
  scheduler_of<Order>::setup();
  visit<Order>();
  CHECK_TEXT(ran, "cbc");
}

TEST_CASE("a suspended coroutine takes its visit, in which nothing runs") {
  start_over();
  scheduler_of<Order>::setup();
  order_b.suspend();
  CHECK(order_b.isSuspended());
  visit<Order>(2);
  CHECK_TEXT(ran, "c");
  visit<Order>(2);
  CHECK_TEXT(ran, "cac");
  order_b.resume();
  CHECK(order_b.isYielding());
  visit<Order>();
  CHECK_TEXT(ran, "cacb");
}

using Late = in_list<2>;
COROUTINE(Late, late) {
  COROUTINE_LOOP() {
    ran.put('l');
    COROUTINE_YIELD();
  }
}

TEST_CASE("setup() may come after suspend(): the coroutine stays suspended until resume()") {
  start_over();
  late.suspend();
  scheduler_of<Late>::setup();
  visit<Late>(3);
  CHECK(late.isSuspended());
  CHECK_TEXT(ran, "");
  late.resume();
  visit<Late>(2);
  CHECK_TEXT(ran, "ll");
}

using Ending = in_list<3>;
COROUTINE(Ending, beside) {
  COROUTINE_LOOP() {
    ran.put('b');
    COROUTINE_YIELD();
  }
}
COROUTINE(Ending, ends) {
  COROUTINE_BEGIN();
  ran.put('1');
  COROUTINE_YIELD();
  ran.put('2');
  COROUTINE_END();
}

TEST_CASE("a body that ends is ending, and terminated one visit later; both take their visits") {
  start_over();
  scheduler_of<Ending>::setup();
  CHECK(!ends.isDone());
  visit<Ending>(3);
  CHECK_TEXT(ran, "1b2");
  CHECK(ends.isEnding());
  CHECK(ends.isDone());
  visit<Ending>();
  CHECK(ends.isEnding());  // that visited the other coroutine
  visit<Ending>();
  CHECK(ends.isTerminated());
  CHECK(ends.isDone());
  CHECK(!ends.isEnding());
  CHECK_TEXT(ran, "1b2b");
  visit<Ending>(4);
  CHECK_TEXT(ran, "1b2bbb");
  CHECK(ends.isTerminated());
}

TEST_CASE("suspend() and resume() leave one that has ended as it is") {
  ends.suspend();
  CHECK(ends.isTerminated());
  ends.resume();
  CHECK(ends.isTerminated());
}

TEST_CASE("reset() starts the body over, ended, suspended or in the middle") {
  start_over();
  scheduler_of<Ending>::setup();
  ends.reset();
  CHECK(ends.isYielding());
  visit<Ending>();
  CHECK_TEXT(ran, "1");
  ends.reset();
  visit<Ending>(2);
  CHECK_TEXT(ran, "1b1");
  ends.suspend();
  ends.reset();
  visit<Ending>(2);
  CHECK_TEXT(ran, "1b1b1");
  visit<Ending>(2);
  CHECK_TEXT(ran, "1b1b1b2");
}

using Nested = in_list<4>;
Nested* nested_runner = nullptr;
COROUTINE(Nested, nested) {
  COROUTINE_BEGIN();
  CHECK(nested_runner->isYielding());
  COROUTINE_YIELD();
  while (true) {
    ran.put('n');
    CHECK(nested_runner->isRunning());
    if (ran.used < 8) scheduler_of<Nested>::loop();  // there is no other coroutine: this visit finds the running one
    COROUTINE_YIELD();
    CHECK(nested_runner->isRunning());
  }
}

TEST_CASE("after its first wait a body is running while it runs, and a visit meanwhile does not enter it again") {
  start_over();
  nested_runner = &nested;
  CHECK(!nested.isRunning());
  visit<Nested>(2);
  CHECK_TEXT(ran, "n");
  CHECK(nested.isYielding());
  visit<Nested>();
  CHECK_TEXT(ran, "nn");
}

using Returns = in_list<7>;
bool returns_early;
COROUTINE(Returns, returns) {
  COROUTINE_BEGIN();
  ran.put('r');
  if (returns_early) return 0;
  COROUTINE_YIELD();
  ran.put('s');
  if (returns_early) return 0;
  COROUTINE_END();
}

TEST_CASE("a body that returns by itself is visited again before its first wait, and never after it") {
  start_over();
  returns_early = true;
  visit<Returns>(3);
  CHECK_TEXT(ran, "rrr");
  CHECK(returns.isYielding());
  returns_early = false;
  visit<Returns>();
  returns_early = true;
  visit<Returns>(3);
  CHECK_TEXT(ran, "rrrrs");
  CHECK(returns.isRunning());
  returns.reset();
  visit<Returns>();
  CHECK_TEXT(ran, "rrrrsr");
}

using Polls = in_list<8>;
COROUTINE(Polls, polls) {
  COROUTINE_LOOP() {
    if (Polls::coroutineMillis() < 50) return 0;
    ran.put('p');
    COROUTINE_DELAY(500);
  }
}

TEST_CASE("a body may poll by a return within COROUTINE_LOOP()") {
  start_over();
  for (uint16_t now = 0; now < 1100; ++now) {
    TestableClockInterface::setMillis(now);
    visit<Polls>();
  }
  CHECK_TEXT(ran, "ppp");
}

TEST_CASE("a scheduler without coroutines does nothing") {
  scheduler_of<in_list<5>>::setup();
  visit<in_list<5>>(2);
  scheduler_of<in_list<5>>::setupCoroutines();
  CHECK(*in_list<5>::getRoot() == nullptr);
}

namespace {

struct by_hand : in_list<6> {
  explicit by_hand(char c) : name(c) {}
  int runCoroutine() override {
    COROUTINE_LOOP() {
      ran.put(name);
      COROUTINE_YIELD();
    }
  }
  void setupCoroutine() override { ran.put(static_cast<char>(name - 'a' + 'A')); }

  char name;
};
by_hand hand_x('x');
by_hand hand_y('y');

}  // namespace

TEST_CASE("setupCoroutines() calls each setupCoroutine(), and members tell objects of one class apart") {
  start_over();
  scheduler_of<in_list<6>>::setup();
  scheduler_of<in_list<6>>::setupCoroutines();
  visit<in_list<6>>(3);
  CHECK_TEXT(ran, "YXyxy");
}

TEST_CASE("runCoroutine() runs a step without the scheduler, and none after the end") {
  start_over();
  ends.reset();
  ends.runCoroutine();
  ends.runCoroutine();
  CHECK(ends.isEnding());
  ends.runCoroutine();
  CHECK(ends.isEnding());
  CHECK_TEXT(ran, "12");
}
