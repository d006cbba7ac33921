// SPDX-License-Identifier: MIT
//
// Coroutines of other loops wait for the end of a loop's thread: several of them, before and after
// it, with a deadline, under a stop, and one that is destroyed meanwhile.
#include <baton/async.hpp>
#include <baton/async/loop_thread.hpp>

#include "rig.hpp"

namespace async = baton::async;
using baton::status;

namespace {

constexpr unsigned rounds = 100;

/// Exists until its loop ends, and counts itself.
struct guest {
  explicit guest(std::atomic<unsigned>& c) : here(c) { here.fetch_add(1, std::memory_order_relaxed); }
  ~guest() { here.fetch_sub(1, std::memory_order_relaxed); }
  std::atomic<unsigned>& here;
};

async::task<> stay(std::atomic<unsigned>& count) {
  const guest g(count);
  const status s = co_await async::sleep_for(baton::seconds(1000));
  CHECK(s == status::cancelled);
}

async::task<> throw_something() {
  throw 1;
  co_return;
}

async::task<> see_the_end(async::loop_thread& worker, std::atomic<unsigned>& guests, unsigned& seen) {
  const status s = co_await worker.ended();
  if (s == status::cancelled) co_return;  // its own loop was stopped before it began
  CHECK(s == status::ok);
  CHECK(guests.load(std::memory_order_relaxed) == 0);
  CHECK(worker.has_failed());  // its thread wrote this
  ++seen;
}

async::task<> wait_until_end(async::loop_thread& worker, status expected) {
  const status s = co_await worker.ended();
  CHECK(s == expected);
}

async::task<> end_and_see_again(async::loop_thread& worker) {
  const status early = co_await async::within(baton::milliseconds(1), worker.ended());
  CHECK(early == status::timed_out);
  async::scope given_up;
  given_up.spawn(wait_until_end(worker, status::cancelled));
  co_await async::yield{};
  given_up.stop();
  co_await given_up.join();
  worker.stop();
  const status first = co_await worker.ended();
  CHECK(first == status::ok);
  const status again = co_await worker.ended();
  CHECK(again == status::ok);
}

/// Several coroutines of two loops wait for one end.
void many_see_one(std::atomic<unsigned>& guests) {
  async::loop_thread worker, other;
  unsigned seen_here = 0, seen_there = 0;
  CHECK(worker.spawn(stay(guests)) == status::ok);
  CHECK(worker.spawn(throw_something()) == status::ok);
  for (unsigned n = 0; n != 3; ++n) CHECK(other.spawn(see_the_end(worker, guests, seen_there)) == status::ok);
  async::loop here;
  for (unsigned n = 0; n != 3; ++n) here.spawn(see_the_end(worker, guests, seen_here));
  worker.stop();
  here.run();
  CHECK(seen_here == 3);
  bool was_thrown = false;
  try {
    worker.join();
  } catch (int) {
    was_thrown = true;
  }
  CHECK(was_thrown);
  other.stop();
  other.join();
  CHECK(seen_there <= 3);
}

/// A waiter is destroyed with its loop, while the end may be on its way.
void destroyed_meanwhile() {
  async::loop_thread worker;
  {
    async::loop here;
    here.spawn(wait_until_end(worker, status::ok));
    here.spawn([](async::loop& l, async::loop_thread& w) -> async::task<> {
      w.stop();
      l.quit();
      co_return;
    }(here, worker));
    here.run();
  }
  worker.join();
}

}  // namespace

int main() {
  std::atomic<unsigned> guests{0};
  for (unsigned n = 0; n != rounds; ++n) {
    many_see_one(guests);
    destroyed_meanwhile();
    async::loop_thread worker;
    async::loop here;
    here.spawn(end_and_see_again(worker));
    here.run();
    worker.join();
  }
  return rig::verdict();
}
