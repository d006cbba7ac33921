// SPDX-License-Identifier: MIT
//
// The orders of docs/async-waits.md, for each primitive. `w` waits; `x` is made ready just before
// the waiter is woken; `a` acts, and goes on.
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/when.hpp>
#include <baton/test/check.hpp>
#include <string>

using namespace baton;
using async::task;

namespace {

std::string order;

task<> other() {
  order += 'x';
  co_return;
}

template <typename Operation>
task<> wait_for(Operation o) {
  const status how = co_await o;
  order += how == status::ok ? 'w' : how == status::closed ? 'c' : how == status::cancelled ? 's' : '?';
}

template <typename Act>
task<> act_now(async::scope& all, Act act) {
  all.spawn(other());
  act();
  order += 'a';
  co_return;
}

/// Returns the order in which the coroutines run when `act` ends a wait for `o`.
template <typename Operation, typename Act>
std::string order_of(Operation o, Act act) {
  async::scope all;
  order.clear();
  all.spawn(wait_for(o));
  scheduler::run_until_idle();
  all.spawn(act_now(all, act));
  scheduler::run_until_idle();
  CHECK_EQ(all.running(), 0u);
  return order;
}

}  // namespace

TEST_CASE("who is woken runs from the tail of the queue, and who woke goes on") {
  int value = 7, got = 0;
  channel<int> c;
  channel<int, 1> full;
  baton::signal bell;
  baton::semaphore units;
  async::manual_event event;
  async::mutex lock;
  event_flags flags;
  flags_wait any;
  any.mask = 1;
  CHECK_EQ(full.try_send(1), status::ok);
  CHECK(lock.try_lock());
  CHECK_EQ(order_of(c.receive(got), [&] { CHECK_EQ(c.try_send(value), status::ok); }), "axw");
  CHECK_EQ(order_of(c.send(value), [&] { CHECK_EQ(c.try_receive(got), status::ok); }), "axw");
  CHECK_EQ(order_of(full.send(value), [&] { CHECK_EQ(full.try_receive(got), status::ok); }), "axw");
  CHECK_EQ(order_of(bell.wait(), [&] { bell.set(); }), "axw");
  CHECK_EQ(order_of(units.acquire(), [&] { units.release(); }), "axw");
  CHECK_EQ(order_of(event.wait(), [&] { event.set(); }), "axw");
  CHECK_EQ(order_of(lock.lock(), [&] { lock.unlock(); }), "axw");
  CHECK_EQ(order_of(flags.wait(any), [&] { flags.set(1); }), "axw");
  CHECK_EQ(order_of(c.receive(got), [&] { c.close(); }), "axc");
}

TEST_CASE("an interrupt's signal wakes between two jobs, from the tail") {
  isr_signal arrived;
  CHECK_EQ(order_of(arrived.wait(), [&] { arrived.set(); }), "axw");
}

TEST_CASE("a stop wakes from the tail, in the order in which the coroutines were spawned") {
  baton::signal bell;
  order.clear();
  async::scope all, stopped;
  for (char c : {'1', '2', '3'}) {
    stopped.spawn([](baton::signal& b, char name) -> task<> {
      CHECK_EQ(co_await b.wait(), status::cancelled);
      order += name;
    }(bell, c));
  }
  scheduler::run_until_idle();
  all.spawn(act_now(all, [&] { stopped.stop(); }));
  scheduler::run_until_idle();
  CHECK_EQ(order, "ax123");
}

TEST_CASE("a call goes to the server past the queue, and the reply back to the client") {
  using endpoint_type = endpoint<int, int>;
  endpoint_type at;
  order.clear();
  async::scope all;
  all.spawn([](endpoint_type& e) -> task<> {
    endpoint_type::served_type request;
    while (co_await e.receive(request) == status::ok) {
      order += 's';
      e.reply(request, 1);
      order += 'r';
    }
  }(at));
  scheduler::run_until_idle();
  all.spawn([](async::scope& s, endpoint_type& e) -> task<> {
    s.spawn(other());
    endpoint_type::exchange_type x;
    CHECK_EQ(co_await e.call(x), status::ok);
    order += 'a';
    e.close();
  }(all, at));
  scheduler::run_until_idle();
  CHECK_EQ(order, "srax");
}

TEST_CASE("a task begins and ends past the queue; spawned ones and who yields go to its tail") {
  order.clear();
  async::scope all;
  all.spawn([](async::scope& s) -> task<> {
    s.spawn(other());
    co_await []() -> task<> {
      order += 't';
      co_return;
    }();
    order += 'a';
    co_await async::yield();
    order += 'b';
  }(all));
  scheduler::run_until_idle();
  CHECK_EQ(order, "taxb");
}

TEST_CASE("who joins runs from the tail, after the last child has ended") {
  order.clear();
  async::scope all;
  all.spawn([](async::scope& s) -> task<> {
    async::scope children;
    children.spawn([](async::scope& outer) -> task<> {
      outer.spawn(other());
      order += 'a';
      co_return;
    }(s));
    co_await children.join();
    order += 'w';
  }(all));
  scheduler::run_until_idle();
  CHECK_EQ(order, "axw");
}

TEST_CASE("time wakes from the tail, equal due times in the order in which they were armed") {
  order.clear();
  async::loop program;
  auto sleeper = [](char name, tick due) -> task<> {
    co_await async::sleep_until(due);
    order += name;
  };
  program.spawn(sleeper('2', 20));
  program.spawn(sleeper('1', 10));
  program.spawn(sleeper('3', 20));
  program.spawn([]() -> task<> {
    baton::signal never_set;
    CHECK_EQ(co_await async::within(ticks(20), never_set.wait()), status::timed_out);
    order += '4';
  }());
  program.run();
  CHECK_EQ(order, "1234");
}

TEST_CASE("of a select's cases one happens; its owner runs from the tail") {
  channel<int> numbers;
  baton::signal bell;
  order.clear();
  async::scope all;
  all.spawn([](channel<int>& c, baton::signal& b) -> task<> {
    int n = 0;
    const async::selection s = co_await async::select(c.receive(n), b.wait());
    CHECK_EQ(s.index, 1);
    CHECK_EQ(s.status, status::ok);
    order += 'w';
  }(numbers, bell));
  scheduler::run_until_idle();
  all.spawn(act_now(all, [&] { bell.set(); }));
  scheduler::run_until_idle();
  CHECK_EQ(order, "axw");
  CHECK_EQ(numbers.try_send(1), status::full);  // no coroutine waits there any more
}

TEST_CASE("what a wait ends at once, without a turn of others") {
  channel<int, 2> c;
  order.clear();
  async::scope all;
  all.spawn([](async::scope& s, channel<int, 2>& to) -> task<> {
    s.spawn(other());
    CHECK_EQ(co_await to.send(1), status::ok);
    CHECK_EQ(co_await to.send(2), status::ok);
    order += 'a';
    CHECK_EQ(co_await async::within(ticks(5), to.send(3)), status::timed_out);
    order += 'b';
  }(all, c));
  scheduler::run();
  CHECK_EQ(order, "axb");
  CHECK_EQ(async::frames().frames, 0u);
}
