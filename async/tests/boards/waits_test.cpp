// SPDX-License-Identifier: MIT
//
// C++20 coroutines in a pool of fixed memory, on every board whose compiler has them.
#include "pool.hpp"

using namespace baton;
using async::scope;
using async::task;

namespace {

uint16_t order[12];
uint8_t marks;

void mark(uint16_t what) {
  if (marks < 12) order[marks++] = what;
}

bool was(const uint16_t* expected, uint8_t count) {
  bool is_same = marks == count;
  for (uint8_t i = 0; is_same && i < count; ++i) is_same = order[i] == expected[i];
  marks = 0;
  return is_same;
}

task<> counts(uint16_t from) {
  for (uint16_t i = from; i < from + 3; ++i) {
    mark(i);
    co_await async::yield();
  }
}

task<> sends(channel<uint16_t>& to, uint16_t count) {
  for (uint16_t i = 1; i <= count; ++i) mark(static_cast<uint16_t>(co_await to.send(i)));
}

task<> receives(channel<uint16_t>& from, uint16_t count) {
  uint16_t value = 0;
  for (uint16_t i = 0; i < count; ++i) {
    static_cast<void>(co_await from.receive(value));
    mark(100 + value);
  }
}

struct stackless_receiver : coroutine<stackless_receiver, waiting> {
  explicit stackless_receiver(channel<uint16_t>& c) : from(&c) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from->receive(value));
      mark(100 + value);
    }
    BATON_END();
  }
  channel<uint16_t>* from;
  uint16_t value = 0;
};

task<> serves(endpoint<uint8_t, uint16_t>& requests) {
  served<uint8_t, uint16_t> request;
  while (co_await requests.receive(request) == status::ok) {
    requests.reply(request, static_cast<uint16_t>(request.request() * 2));
  }
}

task<> calls(endpoint<uint8_t, uint16_t>& requests) {
  exchange<uint8_t, uint16_t> x;
  x.request = 21;
  mark(static_cast<uint16_t>(co_await requests.call(x)));
  mark(x.reply);
  requests.close();
}

task<> sleeps(duration length, uint16_t then) {
  mark(static_cast<uint16_t>(co_await async::sleep_for(length)));
  mark(then);
}

task<> waits_in_vain(channel<uint16_t>& from, duration length) {
  uint16_t value = 0;
  mark(static_cast<uint16_t>(co_await async::within(length, from.receive(value))));
}

task<uint16_t> one(uint16_t n) {
  co_return n & 1;
}

task<> awaits(uint16_t times) {
  uint16_t odd = 0;
  for (uint16_t i = 0; i < times; ++i) odd = static_cast<uint16_t>(odd + co_await one(i));
  mark(odd);
}

task<> joins(duration length) {
  scope inner;
  inner.spawn(sleeps(length, 7));
  inner.spawn(sleeps(2 * length, 8));
  co_await inner.join();
  mark(9);
}

}  // namespace

TEST_CASE("coroutines take turns") {
  fixed_pool<words(80)> pool;
  scope all;
  all.spawn(counts(10));
  all.spawn(counts(20));
  scheduler::run();
  const uint16_t expected[] = {10, 20, 11, 21, 12, 22};
  CHECK(was(expected, 6));
  CHECK_EQ(all.running(), 0);
}

TEST_CASE("a message goes from hand to hand") {
  fixed_pool<words(100)> pool;
  channel<uint16_t> pipe;
  scope all;
  all.spawn(sends(pipe, 3));
  all.spawn(receives(pipe, 3));
  scheduler::run();
  CHECK_EQ(all.running(), 0);
  uint16_t got = 0, sent = 0;
  CHECK_EQ(marks, 6);
  for (uint8_t i = 0; i < marks; ++i) (order[i] > 100 ? got : sent) += order[i];
  CHECK_EQ(got, 306);
  CHECK_EQ(sent, 0);
  marks = 0;
}

TEST_CASE("a stackless coroutine and one of C++20 share a channel") {
  fixed_pool<words(60)> pool;
  channel<uint16_t> pipe;
  stackless_receiver receiver(pipe);
  scope all;
  receiver.start();
  all.spawn(sends(pipe, 2));
  scheduler::run();
  CHECK_EQ(all.running(), 0);
  CHECK_EQ(marks, 4);
  marks = 0;
}

TEST_CASE("a call is answered") {
  fixed_pool<words(120)> pool;
  endpoint<uint8_t, uint16_t> requests;
  scope all;
  all.spawn(serves(requests));
  all.spawn(calls(requests));
  scheduler::run();
  const uint16_t expected[] = {0, 42};
  CHECK(was(expected, 2));
  CHECK_EQ(all.running(), 0);
}

TEST_CASE("delays end in the order of time, and nothing is run meanwhile") {
  fixed_pool<words(120)> pool;
  scope all;
  all.spawn(sleeps(ticks(300), 3));
  all.spawn(sleeps(ticks(100), 1));
  all.spawn(sleeps(ticks(200), 2));
  scheduler::run();
  const uint16_t expected[] = {0, 1, 0, 2, 0, 3};
  CHECK(was(expected, 6));
  CHECK_EQ(port::now(), 300);
  CHECK_EQ(sim::clock::get().jumps, 3);
}

TEST_CASE("a wait with a deadline ends by then") {
  fixed_pool<words(80)> pool;
  channel<uint16_t> pipe;
  scope all;
  all.spawn(waits_in_vain(pipe, ticks(50)));
  scheduler::run();
  const uint16_t expected[] = {static_cast<uint16_t>(status::timed_out)};
  CHECK(was(expected, 1));
  CHECK_EQ(port::now(), 50);
}

TEST_CASE("a scope that is stopped ends each wait with cancelled") {
  fixed_pool<words(160)> pool;
  channel<uint16_t> pipe;
  scope all;
  all.spawn(waits_in_vain(pipe, ticks(50)));
  all.spawn(sleeps(ticks(70), 55));
  scheduler::run_until_idle();
  CHECK_EQ(all.running(), 2);
  all.stop();
  scheduler::run();
  CHECK_EQ(all.running(), 0);
  CHECK_EQ(marks, 3);
  uint8_t cancelled = 0;
  for (uint8_t i = 0; i < 3; ++i) cancelled += order[i] == static_cast<uint16_t>(status::cancelled);
  CHECK_EQ(cancelled, 2);
  marks = 0;
}

TEST_CASE("a join waits for all of a scope") {
  fixed_pool<words(160)> pool;
  scope all;
  all.spawn(joins(ticks(10)));
  scheduler::run();
  const uint16_t expected[] = {0, 7, 0, 8, 9};
  CHECK(was(expected, 5));
  CHECK_EQ(port::now(), 20);
}

TEST_CASE("twenty thousand awaits in a row take no more stack than one") {
  fixed_pool<words(80)> pool;
  scope all;
  all.spawn(awaits(20000));
  scheduler::run();
  const uint16_t expected[] = {10000};
  CHECK(was(expected, 1));
}

TEST_CASE("what is suspended is destroyed with its scope, and its frames are free") {
  fixed_pool<words(200)> pool;
  channel<uint16_t> pipe;
  {
    scope all;
    all.spawn(waits_in_vain(pipe, ticks(50)));
    all.spawn(joins(ticks(10)));
    scheduler::run_until_idle();
    CHECK(async::frames().frames >= 4);
    all.destroy_all();
  }
  scheduler::run();
  CHECK_EQ(marks, 0);
}
