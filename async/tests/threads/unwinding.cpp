// SPDX-License-Identifier: MIT
//
// An exception on the way from a spawn to a join arrives, whatever it destroys; and what another
// thread may not call is heard.
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_endpoint.hpp>
#include <baton/async/loop_thread.hpp>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rig.hpp"

using namespace baton;
using async::task;

namespace {

/// Exists as long as its coroutine, and counts itself.
struct guest {
  explicit guest(std::atomic<int>& c) : here(c) { here.fetch_add(1); }
  ~guest() { here.fetch_sub(1); }
  std::atomic<int>& here;
};

task<> stay(std::atomic<int>& count) {
  const guest g(count);
  static_cast<void>(co_await async::sleep_for(seconds(1000)));
}

task<> fail_soon(std::atomic<int>& count) {
  while (count.load() == 0) co_await async::sleep_for(microseconds(100));
  throw std::runtime_error("the reason");
}

/// True if `act` throws the reason.
template <typename Act>
bool tells_the_reason(Act act) {
  try {
    act();
  } catch (const std::runtime_error& e) {
    return e.what() == std::string("the reason");
  }
  return false;
}

void thread_with_guests() {
  std::atomic<int> guests{0};
  CHECK(tells_the_reason([&] {
    async::loop_thread worker;
    CHECK(worker.spawn(stay(guests)) == status::ok);
    async::loop here;
    here.spawn(fail_soon(guests));
    here.run();
    worker.stop();
    worker.join();
  }));
  CHECK(guests == 0);
}

void pool_with_a_call() {
  std::atomic<int> guests{0};
  CHECK(tells_the_reason([&] {
    async::blocking_pool pool(2);
    async::loop here;
    here.spawn([](async::blocking_pool& p, std::atomic<int>& count) -> task<> {
      const auto works = [&count](async::blocking_token t) {
        const guest g(count);
        while (!t.is_stopping()) std::this_thread::yield();
      };
      static_cast<void>(co_await async::blocking(p, works));
    }(pool, guests));
    here.spawn(fail_soon(guests));
    here.run();
    pool.join();
  }));
  CHECK(guests == 0);
}

void join_again() {
  async::loop_thread worker;
  worker.stop();
  worker.join();
  worker.join();
}

/// Runs `act` in another process; true if it ends by requirement 198.
template <typename Act>
bool is_heard(Act act) {
  int how = 0;
  const std::string text = rig::errors_of(act, how);
  return text.find("requirement 198 ") != std::string::npos && WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT;
}

task<> nothing() {
  co_return;
}

/// Makes a loop, and uses it on a thread of its own.
template <typename Use>
bool is_heard_elsewhere(Use use) {
  return is_heard([use] {
    async::loop here;
    std::thread([&here, use] { use(here); }).join();
  });
}

void calls_of_another_thread() {
  CHECK(is_heard_elsewhere([](async::loop& l) { l.spawn(nothing()); }));
  CHECK(is_heard_elsewhere([](async::loop& l) { l.stop(); }));
  CHECK(is_heard_elsewhere([](async::loop& l) { l.stop(milliseconds(1)); }));
  CHECK(is_heard_elsewhere([](async::loop& l) { l.quit(); }));
  CHECK(is_heard_elsewhere([](async::loop& l) { l.run(); }));
  CHECK(is_heard_elsewhere([](async::loop& l) {
    async::loop own;  // also where the thread has a loop
    l.spawn(nothing());
  }));
}

// Values by `async::receive` and `async::call`, across loops.

using numbers = async::cross_loop_channel<std::unique_ptr<int>, 1>;
using desk = async::cross_loop_endpoint<int, long>;

task<> send_numbers(numbers& to, int count) {
  for (int n = 1; n <= count; ++n) {
    auto one = std::make_unique<int>(n);
    CHECK(co_await to.send(std::move(one)) == status::ok);
  }
  to.close();
}

task<> add_numbers(numbers& from, int& sum) {
  for (;;) {
    async::result<std::unique_ptr<int>> one = co_await async::receive(from);
    if (!one) {
      CHECK(one.status() == status::closed);
      co_return;
    }
    sum += **one;
  }
}

task<> double_each(desk& at) {
  async::cross_loop_served<int, long> s;
  while (co_await at.receive(s) == status::ok) {
    CHECK(at.reply(s, 2L * s.request()) == status::ok);
  }
}

task<> ask(desk& at, numbers& nobody_sends) {
  for (int n = 0; n != 1000; ++n) {
    const async::result<long> twice = co_await async::call(at, n);
    CHECK(twice && *twice == 2L * n);
  }
  const async::result<long> in_time = co_await async::within(seconds(100), async::call(at, 4));
  CHECK(in_time && *in_time == 8);
  const auto late = co_await async::within(microseconds(50), async::receive(nobody_sends));
  CHECK(late.status() == status::timed_out);
  at.close();
  const async::result<long> closed = co_await async::call(at, 1);
  CHECK(closed.status() == status::closed);
}

void values_across_loops() {
  numbers some, none;
  desk at;
  int sum = 0;
  async::loop_thread worker;
  CHECK(worker.spawn(send_numbers(some, 2000)) == status::ok);
  CHECK(worker.spawn(double_each(at)) == status::ok);
  async::loop here;
  here.spawn(add_numbers(some, sum));
  here.spawn(ask(at, none));
  here.run();
  worker.stop();
  worker.join();
  CHECK(sum == 2000 * 2001 / 2);
}

}  // namespace

int main() {
  calls_of_another_thread();
  for (int n = 0; n != 20; ++n) {
    thread_with_guests();
    pool_with_a_call();
    join_again();
  }
  values_across_loops();
  return rig::verdict();
}
