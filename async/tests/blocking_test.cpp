// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>

/// Functions on the threads of a pool, for a loop in virtual time: a gate says when one may return.
using namespace baton;
using async::blocking;
using async::blocking_token;
using async::result;
using async::task;
using async::when_full;

namespace {

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

/// A door at which a function of the pool waits.
struct gate {
  void pass() {
    is_at.store(true);
    while (!is_open.load()) std::this_thread::yield();
  }
  void wait_for_arrival() const {
    while (!is_at.load()) std::this_thread::yield();
  }
  std::atomic<bool> is_at{false}, is_open{false};
};

struct fixture {
  explicit fixture(uint32_t threads = 1, uint32_t queue = 8, when_full policy = when_full::waits)
      : pool(threads, queue, policy) {}
  ~fixture() {
    door.is_open = true;
    pool.join();
    turn();
  }

  void turn() {
    l.mailbox().deliver();
    scheduler::run_until_idle();
  }
  template <typename Condition>
  void run_until(Condition holds) {
    while (!holds()) {
      turn();
      std::this_thread::yield();
    }
  }

  gate door;
  std::string order;
  async::blocking_pool pool;
  async::loop l;
};

std::string appended(std::string to, const std::string& more) {
  return to += more;
}
std::string no_text() {
  return {};
}

/// Takes the pool's only thread until the door is open.
task<> occupies(fixture& on) {
  const result<void> r = co_await blocking(on.pool, [&on] { on.door.pass(); });
  on.order += letter(r.status());
}

void occupy(fixture& f) {
  f.l.spawn(occupies(f));
  f.turn();
  f.door.wait_for_arrival();
}

/// Runs the loop until 3 ms of virtual time have passed.
void pass_time(fixture& f) {
  f.l.spawn([](fixture& on) -> task<> {
    co_await async::sleep_for(milliseconds(3));
    on.order += '3';
    on.l.quit();
  }(f));
  f.l.run();
}

/// Calls a function that adds 1 to `called`, and writes the end of the call.
task<> calls(fixture& on, std::atomic<int>& called, char name = 'n') {
  const result<int> r = co_await blocking(on.pool, [&called] { return ++called; });
  on.order += name;
  on.order += letter(r.status());
}

}  // namespace

namespace {

/// Awaits functions that say by their results how they ended.
task<> say_statuses(fixture& on, async::stop_token end) {
  on.order += letter(co_await blocking(on.pool, [] { return status::peer_gone; }));
  on.order += letter(co_await blocking(on.pool, [] { return status::ok; }));
  const result<int> r = co_await blocking(on.pool, []() -> result<int> { return 5; });
  on.order += std::to_string(*r);
  on.order += letter((co_await blocking(on.pool, []() -> result<int> { return status::empty; })).status());
  const result<int> in_time = co_await async::until_stop(end, blocking(on.pool, [] { return 7; }));
  on.order += std::to_string(*in_time);
  on.order += '.';
}

}  // namespace

TEST_CASE("a function that returns a status or a result gives that") {
  fixture f;
  async::stop_source never;
  f.l.spawn(say_statuses(f, never.token()));
  f.run_until([&] { return f.order.ends_with('.'); });
  CHECK_EQ(f.order, "pk5e7.");
}

TEST_CASE("the function runs on a thread of the pool, and the coroutine goes on in its loop, with the value") {
  fixture f;
  const std::thread::id here = std::this_thread::get_id();
  f.l.spawn([](fixture& on, std::thread::id own) -> task<> {
    const result<std::thread::id> there = co_await blocking(on.pool, [] { return std::this_thread::get_id(); });
    CHECK(there.has_value());
    CHECK(there.value() != own);
    CHECK(std::this_thread::get_id() == own);
    const result<void> nothing = co_await blocking(on.pool, [] {});
    on.order += letter(nothing.status());
  }(f, here));
  f.order = "begun ";
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "begun k");
  CHECK_EQ(f.pool.waits(), 0u);
  CHECK_EQ(f.pool.queued(), 0u);
}

TEST_CASE("the loop runs other coroutines while a function blocks") {
  fixture f;
  occupy(f);
  f.l.spawn([](fixture& on) -> task<> {
    on.order += 'a';
    co_await async::yield();
    on.order += 'b';
  }(f));
  f.turn();
  CHECK_EQ(f.order, "ab");
  CHECK_EQ(f.pool.running(), 1u);
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "abk");
}

TEST_CASE("functions and results that can only be moved") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    const auto add_one = [](std::unique_ptr<int> to) {
      ++*to;
      return to;
    };
    result<std::unique_ptr<int>> r = co_await blocking(on.pool, add_one, std::make_unique<int>(20));
    on.order += std::to_string(**r);
    r = co_await async::within(seconds(1), blocking(on.pool, add_one, std::make_unique<int>(29)));
    on.order += std::to_string(**r);
  }(f));
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "2130");
}

#if BATON_ASYNC_THROWS
TEST_CASE("what a function throws is thrown in the coroutine, and the pool goes on") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    try {
      static_cast<void>(co_await blocking(on.pool, []() -> int { throw std::string("no such file"); }));
      on.order += "?";
    } catch (const std::string& what) {
      on.order += what;
    }
    try {
      static_cast<void>(co_await async::within(seconds(1), blocking(on.pool, [] { throw 5; })));
    } catch (int n) {
      on.order += std::to_string(n);
    }
    on.order += letter((co_await blocking(on.pool, [] { return 1; })).status());
  }(f));
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "no such file5k");
}
#endif

TEST_CASE("calls are begun first in, first out, and a pool that waits refuses none") {
  fixture f(1, 1);
  occupy(f);
  std::atomic<int> called{0};
  for (char name : {'a', 'b', 'c', 'd'}) f.l.spawn(calls(f, called, name));
  f.turn();
  CHECK_EQ(f.pool.queued(), 4u);
  CHECK_EQ(f.pool.waits(), 5u);
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "kakbkckdk");
  CHECK_EQ(called, 4);
}

TEST_CASE("a pool that refuses ends a call beyond its queue with full, and such a call may be awaited again") {
  fixture f(1, 1, when_full::refuses);
  occupy(f);
  std::atomic<int> called{0};
  f.l.spawn(calls(f, called, 'a'));
  f.l.spawn([](fixture& on, std::atomic<int>& n) -> task<> {
    auto call = blocking(on.pool, [&n] { return ++n; });
    result<int> r = co_await call;
    on.order += letter(r.status());
    while (!r) {
      co_await async::yield();
      r = co_await call;
    }
  }(f, called));
  for (int i = 0; i < 3; ++i) scheduler::run_for(1);
  CHECK_EQ(f.order, "f");
  CHECK_EQ(f.pool.queued(), 1u);
  CHECK_EQ(f.pool.waits(), 2u);
  f.door.is_open = true;
  while (f.l.all().running() != 0) {
    f.l.mailbox().deliver();
    scheduler::run_for(1);
  }
  CHECK_EQ(called, 2);
}

TEST_CASE("a stop takes a call out of the queue: the function is never called") {
  fixture f;
  occupy(f);
  std::atomic<int> called{0};
  async::scope s;
  s.spawn(calls(f, called));
  f.turn();
  s.stop();
  f.turn();
  CHECK_EQ(f.order, "nc");
  CHECK_EQ(f.pool.queued(), 0u);
  CHECK_EQ(f.pool.waits(), 1u);
  s.spawn(calls(f, called));  // stopped before it begins
  f.turn();
  CHECK_EQ(f.order, "ncnc");
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(called, 0);
}

TEST_CASE("a deadline takes a call out of the queue, and the call may be awaited again") {
  fixture f;
  occupy(f);
  std::atomic<int> called{0};
  f.l.spawn([](fixture& on, std::atomic<int>& n) -> task<> {
    auto call = blocking(on.pool, [&n] { return ++n; });
    on.order += letter((co_await async::within(milliseconds(5), call)).status());
    CHECK_EQ(port::now(), milliseconds(5));
    CHECK_EQ(on.pool.queued(), 0u);
    on.order += letter((co_await call).status());
  }(f, called));
  pass_time(f);
  pass_time(f);
  CHECK_EQ(f.order, "3t3");
  CHECK_EQ(f.pool.queued(), 1u);
  CHECK_EQ(called, 0);
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(called, 1);
  CHECK_EQ(f.order, "3t3kk");
}

namespace {

/// Its function waits at the door, and says whether its token has changed meanwhile.
task<> asks_its_token(fixture& on) {
  const result<bool> r = co_await async::within(milliseconds(5), blocking(on.pool, [&on](blocking_token t) {
                                                  const bool before = t.is_stopping();
                                                  on.door.pass();
                                                  return !before && t.is_stopping();
                                                }));
  on.order += letter(r.status());
  if (r) on.order += *r ? " told" : " not told";
}

}  // namespace

TEST_CASE("a deadline comes too late once the function runs: it is told, and its result is given") {
  fixture f;
  f.l.spawn(asks_its_token(f));
  f.turn();
  f.door.wait_for_arrival();
  pass_time(f);
  pass_time(f);
  CHECK_EQ(port::now(), milliseconds(6));
  CHECK_EQ(f.order, "33");  // the wait goes on
  CHECK_EQ(f.pool.running(), 1u);
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "33k told");
}

TEST_CASE("a stop comes too late once the function runs: it is told, and its result is given") {
  fixture f;
  async::scope s;
  s.spawn(asks_its_token(f));
  f.turn();
  f.door.wait_for_arrival();
  s.stop();
  f.turn();
  CHECK_EQ(f.order, "");  // the wait goes on
  CHECK_EQ(s.running(), 1u);
  f.door.is_open = true;
  f.run_until([&] { return s.running() == 0; });
  CHECK_EQ(f.order, "k told");
}

TEST_CASE("a function that nobody stops is told nothing") {
  fixture f;
  f.l.spawn(asks_its_token(f));
  f.turn();
  f.door.is_open = true;
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "k not told");
}

namespace {

/// Its function holds `what` by value.
task<> holds(fixture& on, std::shared_ptr<int> what) {
  on.order += 'b';
  const auto pass_with = [&on](std::shared_ptr<int> mine) {
    on.door.pass();
    return mine;
  };
  static_cast<void>(co_await blocking(on.pool, pass_with, std::move(what)));
  on.order += '?';
}

}  // namespace

TEST_CASE("a coroutine that is destroyed in the queue takes its call along") {
  fixture f;
  occupy(f);
  auto what = std::make_shared<int>(1);
  {
    async::scope s;
    s.spawn(holds(f, what));
    f.turn();
    CHECK_EQ(f.pool.queued(), 1u);
    CHECK_EQ(what.use_count(), 2);
    s.destroy_all();
    CHECK_EQ(what.use_count(), 1);
  }
  CHECK_EQ(f.pool.queued(), 0u);
  CHECK_EQ(f.pool.waits(), 1u);
  CHECK_EQ(f.order, "b");
}

TEST_CASE("a coroutine that is destroyed while its function runs leaves it what it holds, until it has returned") {
  fixture f;
  auto what = std::make_shared<int>(1);
  async::scope s;
  s.spawn(holds(f, what));
  f.turn();
  f.door.wait_for_arrival();
  s.destroy_all();
  CHECK_EQ(f.pool.waits(), 0u);
  CHECK_EQ(what.use_count(), 2);
  CHECK_EQ(f.pool.running(), 1u);
  f.door.is_open = true;
  f.run_until([&] { return what.use_count() == 1; });
  CHECK_EQ(f.order, "b");
}

TEST_CASE("a coroutine that is destroyed after its end was sent, and after it has arrived") {
  for (const bool has_arrived : {false, true}) {
    fixture f;
    auto what = std::make_shared<int>(1);
    async::scope s;
    s.spawn(holds(f, what));
    f.turn();
    f.door.wait_for_arrival();
    f.door.is_open = true;
    f.pool.join();
    if (has_arrived) f.l.mailbox().deliver();
    s.destroy_all();
    CHECK_EQ(f.pool.waits(), 0u);
    f.turn();
    CHECK_EQ(what.use_count(), 1);
    CHECK_EQ(f.order, "b");
  }
}

TEST_CASE("a loop that ends while a function runs: the pool's thread destroys the call") {
  gate door;
  auto what = std::make_shared<int>(1);
  async::blocking_pool pool(1);
  {
    async::loop l;
    l.spawn([](async::blocking_pool& on, gate& at, std::shared_ptr<int> mine) -> task<> {
      const auto pass_with = [&at](blocking_token t, const std::shared_ptr<int>& kept) {
        at.pass();
        return t.is_stopping() ? kept : nullptr;
      };
      static_cast<void>(co_await blocking(on, pass_with, std::move(mine)));
    }(pool, door, what));
    scheduler::run_until_idle();
    door.wait_for_arrival();
  }
  CHECK_EQ(what.use_count(), 2);
  CHECK_EQ(pool.waits(), 0u);
  door.is_open = true;
  pool.join();
  CHECK_EQ(what.use_count(), 1);
}

TEST_CASE("a close ends the calls in the queue with closed, tells the functions that run, and refuses later calls") {
  fixture f;
  std::atomic<int> called{0};
  f.l.spawn(asks_its_token(f));
  f.turn();
  f.door.wait_for_arrival();
  for (char name : {'a', 'b'}) f.l.spawn(calls(f, called, name));
  f.turn();
  f.pool.close();
  CHECK_EQ(f.order, "");  // on its way
  f.turn();
  CHECK_EQ(f.order, "aXbX");
  f.l.spawn(calls(f, called, 'c'));
  f.turn();
  CHECK_EQ(f.order, "aXbXcX");
  f.door.is_open = true;
  f.pool.join();
  f.pool.join();
  f.turn();
  CHECK_EQ(f.order, "aXbXcXk told");
  CHECK_EQ(called, 0);
}

TEST_CASE("several functions run at once, one on each thread") {
  fixture f(3);
  std::atomic<int> at_the_meeting{0};
  for (int i = 0; i < 3; ++i) {
    f.l.spawn([](fixture& on, std::atomic<int>& n) -> task<> {
      static_cast<void>(co_await blocking(on.pool, [&n] {
        ++n;
        while (n.load() != 3) std::this_thread::yield();  // each waits for the others
      }));
      on.order += 'k';
    }(f, at_the_meeting));
  }
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "kkk");
}

#if BATON_ASYNC_THROWS
TEST_CASE("a call is awaited once, and one of a thread without a loop is refused") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    auto call = blocking(on.pool, [] { return 1; });
    on.order += letter((co_await call).status());
    try {
      static_cast<void>(co_await call);
    } catch (const test::requirement_failed& broken) {
      on.order += std::to_string(broken.id);
    }
    const auto copy = call;
    CHECK(copy.has_memory());
  }(f));
  f.run_until([&] { return f.l.all().running() == 0; });
  CHECK_EQ(f.order, "k183");
  f.pool.join();
  std::thread other([&f] {
    async::scope s;
    s.spawn([](fixture& on) -> task<> {
      try {
        static_cast<void>(co_await blocking(on.pool, [] { return 1; }));
      } catch (const test::requirement_failed& broken) {
        on.order += std::to_string(broken.id);
      }
    }(f));
    scheduler::run_until_idle();
  });
  other.join();
  CHECK_EQ(f.order, "k183184");
}
#endif

TEST_CASE("all memory of calls comes back") {
  const size_t before = async::frames().frames;
  {
    fixture f;
    std::atomic<int> called{0};
    for (char name : {'a', 'b', 'c'}) f.l.spawn(calls(f, called, name));
    f.run_until([&] { return f.l.all().running() == 0; });
  }
  CHECK_EQ(async::frames().frames, before);
}

TEST_CASE("a function is called with arguments, and a plain one is given by its name") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    const std::string text = "a text that needs memory of its own";
    const result<std::string> twice = co_await blocking(on.pool, appended, text, text);
    CHECK_EQ(*twice, text + text);
    const auto size_of_all = [](blocking_token t, const std::string& s, size_t more) {
      return s.size() + more + (t.is_stopping() ? 1 : 0);
    };
    const result<size_t> length = co_await blocking(on.pool, size_of_all, text, 5u);
    CHECK_EQ(*length, text.size() + 5);
    const auto held = [text] { return text.size(); };
    const result<size_t> same = co_await blocking(on.pool, held);
    CHECK_EQ(*same, text.size());
    const result<std::string> none = co_await blocking(on.pool, no_text);
    CHECK_EQ(*none, "");
    on.order += 'd';
  }(f));
  f.l.run();
  CHECK_EQ(f.order, "d");
}

struct disk {
  int read(int block) const { return first + block; }
  int first;
};
void fill(std::string& to) {
  to = "full";
}

TEST_CASE("a member function and a reference are given as to a thread") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    const disk d{40};
    const result<int> got = co_await blocking(on.pool, &disk::read, &d, 2);
    CHECK_EQ(*got, 42);
    std::string text;
    const result<void> done = co_await blocking(on.pool, fill, std::ref(text));
    CHECK(done);
    CHECK_EQ(text, "full");
    on.order += 'd';
  }(f));
  f.l.run();
  CHECK_EQ(f.order, "d");
}

TEST_CASE("a function that takes anything is given no token") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    const auto sum = [](const auto&... a) { return (0 + ... + a); };
    const result<int> three = co_await blocking(on.pool, sum, 1, 2);
    CHECK_EQ(*three, 3);
    const result<int> none = co_await blocking(on.pool, sum);
    CHECK_EQ(*none, 0);
    on.order += 'd';
  }(f));
  f.l.run();
  CHECK_EQ(f.order, "d");
}

TEST_CASE("a pool of no threads has one, and the longest queue takes each call") {
  fixture f(0, UINT32_MAX, when_full::refuses);
  std::atomic<int> called{0};
  for (char name : {'a', 'b', 'c'}) f.l.spawn(calls(f, called, name));
  f.l.run();
  CHECK_EQ(called.load(), 3);
  CHECK_EQ(f.pool.running(), 0u);
}

TEST_CASE("a loop in virtual time waits for a function, which takes no virtual time") {
  fixture f;
  f.l.spawn([](fixture& on) -> task<> {
    const auto takes_real_time = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const tick before = port::now();
    const result<void> done = co_await async::within(milliseconds(1), blocking(on.pool, takes_real_time));
    CHECK_EQ(done.status(), status::ok);
    CHECK_EQ(port::now(), before);
    on.order += 'd';
  }(f));
  f.l.run();
  CHECK_EQ(f.order, "d");
}

TEST_CASE("virtual time goes on for a function that waits for it") {
  fixture f;
  f.l.spawn(asks_its_token(f));
  f.l.spawn([](fixture& on) -> task<> {
    const status slept = co_await async::sleep_for(seconds(5));
    on.order += letter(slept);
    on.door.is_open = true;
  }(f));
  f.l.run();
  CHECK_EQ(f.order, "kk told");
}
