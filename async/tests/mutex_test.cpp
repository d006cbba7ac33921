// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>

using namespace baton;
using async::task;
using text = test::text_sink<32>;

namespace {

task<> works(async::mutex& m, text& order, char name) {
  auto lock = co_await async::hold(m);
  if (!lock) co_return;
  order += name;
  co_await async::sleep_for(milliseconds(1));
  order += name;
}

/// A stackless coroutine at the same mutex.
struct stackless_work : coroutine<stackless_work, timed_waiting> {
  stackless_work(async::mutex& m, text& o) : mutex(m), order(o) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT(mutex.lock());
    order += 's';
    BATON_DELAY_MS(1);
    order += 's';
    mutex.unlock();
    BATON_END();
  }
  async::mutex& mutex;
  text& order;
};

}  // namespace

TEST_CASE("one at a time, in the order of coming, of both kinds of body") {
  async::mutex m;
  text order;
  async::scope s;
  stackless_work w(m, order);
  s.spawn(works(m, order, 'a'));
  s.spawn(works(m, order, 'b'));
  w.start();
  s.spawn(works(m, order, 'c'));
  scheduler::run();
  CHECK_TEXT(order, "aabbsscc");
  CHECK(!m.is_locked());
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("who unlocks cannot take it back before the one who waits") {
  async::mutex m;
  CHECK(m.try_lock());
  CHECK(!m.try_lock());
  text order;
  async::scope s;
  s.spawn(works(m, order, 'a'));
  scheduler::run_until_idle();
  m.unlock();
  CHECK(m.is_locked());
  CHECK(!m.try_lock());
  scheduler::run();
  CHECK_TEXT(order, "aa");
  CHECK(m.try_lock());
}

TEST_CASE("a lock that times out, or is cancelled, holds nothing") {
  async::mutex m;
  CHECK(m.try_lock());
  async::scope s;
  text order;
  s.spawn([](async::mutex& at, text& to) -> task<> {
    auto lock = co_await async::within(milliseconds(3), async::hold(at));
    CHECK(!lock);
    to += lock.status() == status::timed_out ? 't' : '?';
    auto other = co_await async::hold(at);
    to += other.status() == status::cancelled ? 'c' : '?';
  }(m, order));
  scheduler::run();
  s.stop();
  scheduler::run();
  CHECK_TEXT(order, "tc");
  CHECK(m.is_locked());
  m.unlock();
  CHECK(!m.is_locked());
}

TEST_CASE("a lock that was handed to a coroutine that is destroyed before it ran goes to the next") {
  async::mutex m;
  CHECK(m.try_lock());
  text order;
  async::scope gone, s;
  gone.spawn(works(m, order, 'a'));
  gone.spawn([](async::mutex& at) -> task<> { static_cast<void>(co_await at.lock()); }(m));
  scheduler::run_until_idle();
  s.spawn(works(m, order, 'b'));
  scheduler::run_until_idle();
  m.unlock();
  gone.destroy_all();
  scheduler::run();
  CHECK_TEXT(order, "bb");
  CHECK(!m.is_locked());
  CHECK_EQ(dropped_values(), 0);
}

TEST_CASE(
    "a unit of a semaphore that is held is given back at the end of the block, and when its holder is destroyed") {
  semaphore free_places(2);
  int inside = 0, most = 0;
  async::scope s;
  auto body = [](semaphore& places, int& now, int& highest) -> task<> {
    auto place = co_await async::hold(places);
    highest = ++now > highest ? now : highest;
    co_await async::sleep_for(milliseconds(1));
    --now;
  };
  for (int i = 0; i < 7; ++i) s.spawn(body(free_places, inside, most));
  scheduler::run();
  CHECK_EQ(most, 2);
  CHECK_EQ(free_places.units(), 2);
  CHECK_EQ(port::now(), milliseconds(4));
  for (int i = 0; i < 4; ++i) s.spawn(body(free_places, inside, most));
  scheduler::run_until_idle();
  s.destroy_all();
  CHECK_EQ(free_places.units(), 2);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("an unlock by nobody's holder is refused") {
  async::mutex m;
  CHECK_TRAPS(unlock_of_free_mutex, m.unlock());
}
