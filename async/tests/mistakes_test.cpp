// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/trace.hpp>
#include <coroutine>
#include <memory>
#include <string>

// Plain user code: its mistakes are heard, and what is allowed works.

using namespace baton;
using async::task;

namespace {

/// Starts a wait that another part of the program ends by a handle.
struct answer_later {
  static std::coroutine_handle<>& asked() {
    static std::coroutine_handle<> h;
    return h;
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) const { asked() = h; }
  int await_resume() const { return 7; }
};

/// Has no `await_ready` itself, as the awaitables of some libraries.
struct converts {
  answer_later operator co_await() const { return {}; }
};

struct suspends_if {
  bool does;
  bool resumes_at_once = false;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> h) const {
    if (resumes_at_once) h.resume();
    return does;
  }
  bool await_resume() const { return does; }
};

struct alignas(64) cache_line {
  char bytes[64];
};

}  // namespace

TEST_CASE("a join with a deadline of a scope that has ended is ok, also after one that timed out") {
  auto l = std::make_unique<async::loop>();
  std::string log;
  l->spawn([](std::string& to) -> task<> {
    async::scope s;
    status how = co_await async::within(1_ms, s.join());
    to += how == status::ok ? "ok " : "? ";
    s.spawn([]() -> task<> { static_cast<void>(co_await async::sleep_for(4500_us)); }());
    for (int i = 0; i < 10; ++i) {
      how = co_await async::within(1_ms, s.join());
      if (how == status::ok) break;
      to += how == status::timed_out ? "late " : "? ";
    }
    to += "joined ";
    how = co_await async::within(1_ms, s.join());
    to += how == status::ok ? "ok" : "?";
  }(log));
  l->run();
  CHECK_EQ(log, "ok late late late late joined ok");
}

TEST_CASE("a foreign awaiter's handle makes the coroutine ready, behind what is ready, and once") {
  async::scope all;
  std::string log;
  auto waits = [](std::string& to) -> task<> {
    to += "asks ";
    const int n = co_await answer_later();
    to += std::to_string(n) + " ";
    const int m = co_await converts();
    to += std::to_string(m + 1) + " ";
  };
  all.spawn(waits(log));
  scheduler::run_until_idle();
  CHECK_EQ(log, "asks ");
  all.spawn([](std::string& to) -> task<> {
    to += "other ";
    co_return;
  }(log));
  answer_later::asked().resume();
  CHECK_EQ(log, "asks ");
  CHECK_TRAPS(foreign_resume_twice, answer_later::asked().resume());
  scheduler::run_until_idle();
  CHECK_EQ(log, "asks other 7 ");
  answer_later::asked().resume();
  scheduler::run_until_idle();
  CHECK_EQ(log, "asks other 7 8 ");
  CHECK_EQ(all.running(), 0u);
}

TEST_CASE("a foreign awaiter that does not suspend, or resumes at once, does not wait") {
  async::scope all;
  std::string log;
  all.spawn([](std::string& to) -> task<> {
    to += co_await suspends_if{false} ? "?" : "goes on ";
    to += co_await suspends_if{true, true} ? "went on" : "?";
  }(log));
  scheduler::run_until_idle();
  CHECK_EQ(log, "goes on went on");
  CHECK_EQ(all.running(), 0u);
}

TEST_CASE("a stop leaves a foreign awaiter, and a scope that is destroyed takes its coroutine away") {
  async::scope all;
  int ended = 0;
  struct counts {
    int* n;
    ~counts() { ++*n; }
  };
  all.spawn([](int& n) -> task<> {
    counts c{&n};
    static_cast<void>(co_await answer_later());
  }(ended));
  scheduler::run_until_idle();
  all.stop();
  scheduler::run_until_idle();
  CHECK_EQ(ended, 0);
  all.destroy_all();
  CHECK_EQ(ended, 1);
}

TEST_CASE("an await ends a task: a second one is a requirement") {
  CHECK_TRAPS(task_without_frame, {
    auto l = std::make_unique<async::loop>();
    std::string log;
    l->spawn([](std::string& to) -> task<> {
      task<int> t = []() -> task<int> { co_return 5; }();
      to += std::to_string(co_await std::move(t));
      CHECK(!t.has_frame());                        // NOLINT(bugprone-use-after-move)
      to += std::to_string(co_await std::move(t));  // NOLINT(bugprone-use-after-move): the mistake
    }(log));
    l->run();
  });
}

TEST_CASE("waits that end at once let others run, and a due timer is not late") {
  auto l = std::make_unique<async::loop>();
  baton::semaphore units(0);
  uint32_t taken = 0, taken_at_timer = 0, others = 0;
  l->spawn([](baton::semaphore& s, uint32_t& n) -> task<> {
    for (n = 0; n < 300000; ++n) {
      static_cast<void>(s.release());
      CHECK_EQ(co_await s.acquire(), status::ok);
      sim::advance(10);
    }
  }(units, taken));
  l->spawn([](uint32_t& n, uint32_t& at, uint32_t& t) -> task<> {
    static_cast<void>(co_await async::sleep_for(10_us));
    at = n;
    while (n < 300000) {
      ++t;
      co_await async::yield();
    }
  }(taken, taken_at_timer, others));
  l->run();
  CHECK(taken_at_timer >= 1000);
  CHECK(taken_at_timer < 2000);
  CHECK(others > 4000);
}

TEST_CASE("a value that was taken without a wait is counted or given back if its coroutine is destroyed meanwhile") {
  async::scope all;
  channel<int, 64> numbers;
  int sent = 0, received = 0;
  for (int i = 0; i < 64; ++i) CHECK_EQ(numbers.try_send(i), status::ok);
  all.spawn([](channel<int, 64>& c, int& n) -> task<> {
    int value = 0;
    for (;;) {
      const status how = co_await c.receive(value);
      if (how != status::ok) co_return;
      ++n;
    }
  }(numbers, received));
  all.spawn([](channel<int, 64>& c, int& n) -> task<> {
    for (; n < 64; ++n) CHECK_EQ(co_await c.send(n), status::ok);
  }(numbers, sent));
  CHECK(scheduler::run_one());  // the receiver has used its turn up, and holds a value that it has not read
  const uint16_t dropped = dropped_values();
  all.destroy_all();
  CHECK_EQ(dropped_values(), dropped + 1);
  int left = 0, value = 0;
  while (numbers.try_receive(value) == status::ok) ++left;
  CHECK_EQ(received + 1 + left, 64 + sent);
}

TEST_CASE("run inside a coroutine is a requirement") {
  CHECK_TRAPS(run_inside_coroutine, {
    auto l = std::make_unique<async::loop>();
    l->spawn([](async::loop& on) -> task<> {
      on.run();
      co_return;
    }(*l));
    l->run();
  });
}

#ifdef __cpp_exceptions
TEST_CASE("run throws what a spawned coroutine threw, when the others have ended") {
  auto l = std::make_unique<async::loop>();
  bool other_ended = false;
  l->spawn([]() -> task<> {
    static_cast<void>(co_await async::sleep_for(1_ms));
    throw std::string("seen");
  }());
  l->spawn([](bool& ended) -> task<> {
    CHECK_EQ(co_await async::sleep_for(1_s), status::cancelled);
    ended = true;
  }(other_ended));
  std::string caught;
  try {
    l->run();
  } catch (const std::string& s) {
    caught = s;
  }
  CHECK_EQ(caught, "seen");
  CHECK(other_ended);
  l->run();  // thrown once
}

TEST_CASE("a scope may be destroyed with an exception that its owner has asked about, or joined without a throw") {
  auto throws = []() -> task<> {
    throw 1;
    co_return;
  };
  auto s = std::make_unique<async::scope>();
  s->spawn(throws());
  scheduler::run_until_idle();
  CHECK(s->has_failed());  // asked: the program knows of it
  s.reset();
  auto unread = std::make_unique<async::scope>();
  unread->spawn(throws());
  scheduler::run_until_idle();
  async::scope joiner;
  joiner.spawn([](async::scope& of) -> task<> { co_await of.join_nothrow(); }(*unread));
  scheduler::run_until_idle();
  unread.reset();  // joined without a throw
}
#endif

TEST_CASE("a local that is aligned to a cache line is aligned in its frame") {
  async::scope all;
  int misaligned = 0;
  for (int i = 0; i < 20; ++i) {
    all.spawn([](int& bad) -> task<> {
      cache_line line{};
      volatile uintptr_t where = reinterpret_cast<uintptr_t>(&line);
      if (where % 64 != 0) ++bad;
      co_await async::yield();
      line.bytes[0] = 1;
    }(misaligned));
    all.spawn([](int& bad) -> task<> {
      cache_line lines[20] = {};  // above the largest class
      volatile uintptr_t where = reinterpret_cast<uintptr_t>(&lines);
      if (where % 64 != 0) ++bad;
      co_await async::yield();
      lines[0].bytes[0] = 1;
    }(misaligned));
    all.spawn([]() -> task<> { co_await async::yield(); }());
  }
  scheduler::run_until_idle();
  CHECK_EQ(misaligned, 0);
}
