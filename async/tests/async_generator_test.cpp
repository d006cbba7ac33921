// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/async_generator.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <memory>
#include <optional>
#include <string>

using namespace baton;
using async::async_generator;
using async::result;
using async::task;

namespace {

struct counted {
  explicit counted(int& n) : to(&n) { ++*to; }
  counted(const counted&) = delete;
  ~counted() { --*to; }
  int* to;
};

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

/// 0, 1, ... below `limit`, one each millisecond.
async_generator<int> count_to(int limit, int& alive) {
  counted c(alive);
  for (int i = 0; i != limit; ++i) {
    static_cast<void>(co_await async::sleep_for(milliseconds(1)));
    co_yield i;
  }
}

/// The values of a channel until a wait does not end with ok, which it notes.
async_generator<int> values_of(channel<int>& from, std::string& note) {
  for (;;) {
    int value = 0;
    const status how = co_await from.receive(value);
    if (how != status::ok) {
      note += letter(how);
      co_return;
    }
    co_yield value;
  }
}

task<> read_all(async_generator<int>& from, std::string& to) {
  while (int* n = co_await from.next()) to += std::to_string(*n);
  to += '.';
}

bool run(task<> t) {
  async::scope s;
  s.spawn(std::move(t));
  scheduler::run();
  const bool has_ended = s.running() == 0;
  s.destroy_all();
  return has_ended;
}

}  // namespace

TEST_CASE("a generator waits between its values, and its reader with it, while others run") {
  int alive = 0;
  std::string order;
  async::scope s;
  s.spawn([](int& n, std::string& to) -> task<> {
    auto numbers = count_to(3, n);
    CHECK_EQ(n, 0);  // nothing runs before the first read
    while (int* i = co_await numbers.next()) {
      to += std::to_string(*i);
      CHECK_EQ(port::now(), milliseconds(static_cast<uint32_t>(*i) + 1));
      CHECK(!numbers.has_ended());
    }
    CHECK(numbers.has_ended());
    CHECK_EQ(n, 0);
    to += '.';
  }(alive, order));
  s.spawn([](std::string& to) -> task<> {
    for (int i = 0; i < 2; ++i) {
      to += 'x';
      static_cast<void>(co_await async::sleep_for(milliseconds(1)));
    }
  }(order));
  scheduler::run();
  CHECK_EQ(order, "x0x12.");
  CHECK_EQ(s.running(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}

namespace {

/// The reader may change a named value.
async_generator<int> doubles_what_comes_back() {
  int n = 1;
  while (n < 50) {
    co_yield n;
    n *= 2;
  }
  co_yield 99;
}

async_generator<std::unique_ptr<int>> owned(int count) {
  for (int i = 0; i != count; ++i) {
    co_yield std::make_unique<int>(i);
    co_await async::yield();
  }
}

}  // namespace

TEST_CASE("values are the generator's own: the reader sees them in place, and may move them out") {
  std::string order;
  CHECK(run([](std::string& to) -> task<> {
    auto numbers = doubles_what_comes_back();
    while (int* n = co_await numbers.next()) {
      to += std::to_string(*n) + ' ';
      *n += 3;
    }
    auto pointers = owned(3);
    std::unique_ptr<int> last;
    while (std::unique_ptr<int>* p = co_await pointers.next()) last = std::move(*p);
    to += std::to_string(*last);
    int alive = 0;
    auto nothing = count_to(0, alive);
    int* none = co_await nothing.next();
    CHECK(!none);
  }(order)));
  CHECK_EQ(order, "1 8 22 99 2");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("coroutines of several scopes read one generator in turn") {
  int alive = 0;
  std::string order;
  async_generator<int> numbers = count_to(4, alive);
  for (int turn = 0; turn != 2; ++turn) {
    CHECK(run([](async_generator<int>& from, std::string& to) -> task<> {
      for (int i = 0; i < 2; ++i) {
        int* n = co_await from.next();
        to += std::to_string(*n);
      }
    }(numbers, order)));
  }
  CHECK(run(read_all(numbers, order)));
  CHECK_EQ(order, "0123.");
  CHECK_EQ(alive, 0);
}

TEST_CASE("a stop of the reader ends the generator's wait, and what it yields then is read") {
  channel<int> c;
  std::string order;
  async::scope s;
  s.spawn([](channel<int>& from, std::string& to) -> task<> {
    auto values = values_of(from, to);
    co_await read_all(values, to);
    auto last_words = [](channel<int>& c2) -> async_generator<int> {
      int value = 5;
      if (const status how = co_await c2.receive(value); how == status::cancelled) co_yield value;
    };
    auto late = last_words(from);
    co_await read_all(late, to);
  }(c, order));
  scheduler::run_until_idle();
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(order, "1");
  s.stop();
  scheduler::run_until_idle();
  CHECK_EQ(order, "1c.5.");
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a generator that is destroyed between two reads destroys its locals and its frame") {
  int alive = 0;
  std::string order;
  CHECK(run([](int& n, std::string& to) -> task<> {
    {
      auto numbers = count_to(10, n);
      int* first = co_await numbers.next();
      to += std::to_string(*first);
      CHECK_EQ(n, 1);
    }
    CHECK_EQ(n, 0);
    const auto never_read = count_to(10, n);
    CHECK(never_read.has_frame());
  }(alive, order)));
  CHECK_EQ(order, "0");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a reader that is destroyed in a read takes the generator's frame out of every list") {
  channel<int> c;
  std::string order;
  async::scope s;
  s.spawn([](channel<int>& from, std::string& to) -> task<> {
    auto values = values_of(from, to);
    co_await read_all(values, to);
  }(c, order));
  scheduler::run_until_idle();
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(order, "1");
  s.destroy_all();
  CHECK_EQ(c.try_send(2), status::full);  // nobody waits
  CHECK_EQ(async::frames().frames, 0u);
  auto kept = values_of(c, order);  // a generator that outlives its reader
  s.spawn(read_all(kept, order));
  scheduler::run_until_idle();
  s.destroy_all();
  CHECK(!kept.has_frame());
  CHECK(kept.has_ended());
  CHECK_EQ(c.try_send(2), status::full);
  CHECK_EQ(order, "1");
  CHECK_EQ(async::frames().frames, 0u);
}

namespace {

/// Reads within 5 ms each, and writes each end, and the time of the last.
task<> read_in_time(async_generator<int>& from, std::string& to) {
  for (;;) {
    const result<int*> r = co_await async::within(milliseconds(5), from.next());
    to += letter(r.status());
    if (!r || !*r) break;
    to += std::to_string(**r);
  }
  to += " " + std::to_string(port::now() / milliseconds(1).ticks()) + " ms";
}

async_generator<int> slower_and_slower(std::string& note) {
  for (uint32_t i = 1;; ++i) {
    const status how = co_await async::sleep_for(milliseconds(3 * i));
    if (how != status::ok) {
      note += letter(how);
      co_return;
    }
    co_yield static_cast<int>(i);
  }
}

async_generator<int> answers_late(std::string& note) {
  const status how = co_await async::sleep_for(milliseconds(8));
  note += letter(how);
  co_yield 8;
  note += '!';
}

async_generator<int> ignores_its_stop(channel<int>& from, int& alive) {
  counted c(alive);
  for (int value = 0;;) {
    static_cast<void>(co_await from.receive(value));
  }
  co_yield 0;
}

}  // namespace

TEST_CASE("a read with a deadline: in time, too late for a generator that ends, too late for one that yields") {
  std::string order;
  auto slow = slower_and_slower(order);
  CHECK(run(read_in_time(slow, order)));
  CHECK_EQ(order, "k1ct 8 ms");
  CHECK(slow.has_ended());
  order.clear();
  auto late = answers_late(order);
  CHECK(run(read_in_time(late, order)));
  CHECK_EQ(order, "ck8!k 14 ms");  // the end, which is a result, too
  CHECK(late.has_ended());
}

TEST_CASE("a generator that ignores its deadline is destroyed, and the read times out") {
  std::string order;
  channel<int> c;
  int alive = 0;
  auto deaf = ignores_its_stop(c, alive);
  CHECK(run(read_in_time(deaf, order)));
  CHECK_EQ(order, "t 5 ms");
  CHECK_EQ(alive, 0);
  CHECK(deaf.has_ended());
  CHECK_EQ(async::frames().frames, 0u);
}

namespace {

/// The values of `depth` generators, each of which reads the next.
async_generator<int> nested(int depth, channel<int>& from) {
  if (depth == 0) {
    int value = 0;
    for (;;) {
      const status how = co_await from.receive(value);
      if (how != status::ok) co_return;
      co_yield value;
    }
  }
  auto inner = nested(depth - 1, from);
  while (int* n = co_await inner.next()) {
    ++*n;
    co_yield *n;
  }
}

}  // namespace

TEST_CASE("a read through many generators takes no stack, nor does its destruction") {
  constexpr int deep = 20000;
  channel<int> c;
  std::string order;
  {
    async::scope s;
    s.spawn([](channel<int>& from, std::string& to) -> task<> {
      auto top = nested(deep, from);
      co_await read_all(top, to);
    }(c, order));
    scheduler::run_until_idle();
    for (int i = 1; i < 3; ++i) {
      CHECK_EQ(c.try_send(i), status::ok);
      scheduler::run_until_idle();
    }
    CHECK_EQ(order, "2000120002");
    CHECK_EQ(s.running(), 1u);
    s.destroy_all();
  }
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("random generators: whatever waits and yields, each value is read once and in order") {
  for (uint32_t seed = 1; seed != 100; ++seed) {
    int expected = 0;
    CHECK_WITH(run([](uint32_t s, int& next) -> task<> {
                 auto numbers = [](uint32_t own) -> async_generator<int> {
                   test::random chance(own);
                   const int count = chance.below(40);
                   for (int i = 0; i != count; ++i) {
                     if (chance.one_in(2)) static_cast<void>(co_await async::sleep_for(ticks(chance.below(30))));
                     if (chance.one_in(3)) co_await async::yield();
                     co_yield i;
                   }
                 };
                 test::random chance(s + 1000);
                 auto all = numbers(s);
                 while (int* n = co_await all.next()) {
                   CHECK_WITH(*n == next, s);
                   ++next;
                   if (chance.one_in(4)) static_cast<void>(co_await async::sleep_for(ticks(chance.below(30))));
                 }
                 test::random again(s);
                 CHECK_WITH(next == again.below(40), s);
               }(seed, expected)),
               seed);
  }
}

#if BATON_ASYNC_THROWS
namespace {

async_generator<int> throws_after_one() {
  co_yield 1;
  static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  throw std::string("broken");
}

}  // namespace

TEST_CASE("what a generator throws comes out of a read, after the values before it, and out of one with a deadline") {
  std::string order;
  CHECK(run([](std::string& to) -> task<> {
    for (const bool with_limit : {false, true}) {
      auto numbers = throws_after_one();
      try {
        for (;;) {
          int* n = nullptr;
          if (with_limit) {
            const result<int*> r = co_await async::within(seconds(1), numbers.next());
            n = *r;
          } else {
            n = co_await numbers.next();
          }
          to += std::to_string(*n);
        }
      } catch (const std::string& what) {
        to += what;
      }
      CHECK(numbers.has_ended());
    }
  }(order)));
  CHECK_EQ(order, "1broken1broken");
}

TEST_CASE("a read after the end, a second reader, and a generator without a frame are refused") {
  std::string order;
  channel<int> c;
  async_generator<int> shared = values_of(c, order);
  async::scope s;
  auto read_once = [](async_generator<int>& from, std::string& to) -> task<> {
    try {
      int* n = co_await from.next();
      to += n ? std::to_string(*n) : ".";
    } catch (const test::requirement_failed& broken) {
      to += std::to_string(broken.id);
    }
  };
  s.spawn(read_once(shared, order));
  s.spawn(read_once(shared, order));
  scheduler::run_until_idle();
  CHECK_EQ(order, "187");
  CHECK_EQ(c.try_send(4), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(order, "1874");  // the first reader has not noticed
  {
    int alive = 0;
    auto nothing = count_to(0, alive);
    for (int i = 0; i != 2; ++i) s.spawn(read_once(nothing, order));
    scheduler::run_until_idle();
    CHECK_EQ(order, "1874.186");
  }
  async_generator<int> empty;
  CHECK(!empty.has_frame());
  s.spawn(read_once(empty, order));
  scheduler::run_until_idle();
  CHECK_EQ(order, "1874.186185");
  CHECK_EQ(s.running(), 0u);
}
#endif
