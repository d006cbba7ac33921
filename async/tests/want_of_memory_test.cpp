// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/async_generator.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <baton/test/failing_memory.hpp>
#include <cstdio>
#include <memory>

// Programs of strings in which the first allocation is refused, then the second, and so on: in a
// hand-over, in a result, for a frame. Who is refused does the same again, and nothing is lost.

using namespace baton;
using async::task;

namespace {

/// Longer than a string holds without the heap.
std::string text_of(int n) {
  return "the text number " + std::to_string(n) + " of a channel of strings";
}

/// The number of a text that is whole. It allocates nothing.
int number_in(const std::string& text) {
  char expected[80];
  for (int n = 1; n != 20; ++n) {
    std::snprintf(expected, sizeof expected, "the text number %d of a channel of strings", n);
    if (text == expected) return n;
  }
  return 0;
}

template <typename Channel>
task<> send_all(Channel& to, int first, int count, int& open) {
  for (int i = first; i != first + count;) {
    try {
      const std::string text = text_of(i);
      if (co_await to.send(text) == status::ok) ++i;
    } catch (const std::bad_alloc&) {
    }
  }
  if (--open == 0) to.close();
}

template <typename Channel>
task<> receive_all(Channel& from, int& sum) {
  for (;;) {
    std::string text;
    try {
      if (co_await async::within(milliseconds(1), from.receive(text)) == status::closed) co_return;
      sum += number_in(text);
    } catch (const std::bad_alloc&) {
    }
  }
}

task<> ask_all(endpoint<int, std::string>& at, int& sum) {
  for (int i = 1; i != 4;) {
    try {
      const async::result<std::string> text = co_await async::call(at, i);
      sum += number_in(*text);
      ++i;
    } catch (const std::bad_alloc&) {
    }
  }
  at.close();
}
task<> reply_all(endpoint<int, std::string>& at) {
  endpoint<int, std::string>::served_type now;
  for (;;) {
    try {
      if (!now.is_open()) {
        if (co_await at.receive(now) != status::ok) co_return;
      }
      const std::string text = text_of(now.request());
      const status replied = at.reply(now, text);
      CHECK(replied == status::ok);
    } catch (const std::bad_alloc&) {
    }
  }
}

/// Makes a frame that is no frame of the pool's. Its functions are not inline, so that clang keeps
/// all of it.
struct large_local {
  BATON_NOINLINE void set(int n) { bytes[0] = static_cast<char>(n); }
  BATON_NOINLINE int first() const { return bytes[0]; }
  char bytes[3000];
};

/// Hands strings through three tasks.
task<std::string> inner(int n) {
  large_local large;
  large.set(n);
  static_cast<void>(co_await async::yield());
  co_return text_of(large.first());
}
task<std::string> outer(int n) {
  task<std::string> t = inner(n);
  if (!t.has_frame()) throw std::bad_alloc();
  const std::string kept = co_await std::move(t);
  co_return kept;
}
task<> gather(int& sum) {
  for (int i = 1; i != 4;) {
    try {
      task<std::string> t = outer(i);
      if (!t.has_frame()) continue;
      const std::string text = co_await std::move(t);
      sum += number_in(text);
      ++i;
    } catch (const std::bad_alloc&) {
    }
  }
}

/// A loop with this coroutine runs on while another one waits, and ends even if that one is never
/// woken.
task<> end_of_time() {
  static_cast<void>(co_await async::sleep_for(seconds(1)));
}

/// Runs a program with the allocation number 1, 2, ... refused. `begin` spawns it.
template <typename Begin>
void run_all(int expected, Begin begin) {
  for (long n = 1;; ++n) {
    DOCTEST_CAPTURE(n);
    int sum = 0;
    bool was_refused = false;
    {
      async::loop l;
      async::scope all;
      l.spawn(end_of_time());
      [[maybe_unused]] auto made = begin(all, sum);
      {
        const test::refused_allocation refused(n);
        l.run();
        was_refused = refused.was_refused();
      }
      CHECK_EQ(all.running(), 0u);
      all.destroy_all();
    }
    CHECK_EQ(sum, expected);
    if (!was_refused) {
      CHECK(n > 4);
      return;
    }
  }
}

template <typename Channel>
struct senders {
  Channel pipe;
  int open = 2;
};

template <typename Channel>
void strings_arrive() {
  run_all(1 + 2 + 3 + 11 + 12 + 13, [](async::scope& all, int& sum) {
    auto made = std::make_unique<senders<Channel>>();
    all.spawn(receive_all(made->pipe, sum));
    all.spawn(send_all(made->pipe, 1, 3, made->open));
    all.spawn(send_all(made->pipe, 11, 3, made->open));
    return made;
  });
}

}  // namespace

TEST_CASE("strings arrive in a channel whichever allocation is refused") {
  strings_arrive<channel<std::string>>();
  strings_arrive<channel<std::string, 2>>();
  strings_arrive<async::cross_loop_channel<std::string>>();
  strings_arrive<async::cross_loop_channel<std::string, 2>>();
}

TEST_CASE("strings are replied whichever allocation is refused") {
  run_all(1 + 2 + 3, [](async::scope& all, int& sum) {
    auto at = std::make_unique<endpoint<int, std::string>>();
    all.spawn(reply_all(*at));
    all.spawn(ask_all(*at, sum));
    return at;
  });
}

TEST_CASE("strings come out of tasks whichever allocation is refused") {
  run_all(1 + 2 + 3, [](async::scope& all, int& sum) {
    all.spawn(gather(sum));
    return 0;
  });
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a call of a pool for which there is no memory ends with full, and its function is not called") {
  async::blocking_pool pool(1);
  async::loop l;
  int called = 0;
  l.spawn([](async::blocking_pool& on, int& n) -> task<> {
    struct large {
      char bytes[3000];  // a piece that is none of the pool's frames
    };
    const auto refused_call = [&] {
      const test::refused_allocation refused(1);
      return async::blocking(on, [&n, room = large()] { return n += room.bytes[0] + 1; });
    };
    auto call = refused_call();
    CHECK(!call.has_memory());
    const async::result<int> alone = co_await call;
    CHECK(alone.status() == status::full);
    const async::result<int> limited = co_await async::within(milliseconds(1), call);
    CHECK(limited.status() == status::full);
  }(pool, called));
  l.run();
  CHECK_EQ(l.all().running(), 0u);
  pool.join();
  CHECK_EQ(called, 0);
}

namespace {

async::async_generator<int> large_generator() {
  large_local large;
  large.set(1);
  co_await async::yield();
  co_yield large.first();
}

}  // namespace

TEST_CASE("a generator for whose frame there is no memory is empty") {
  const test::refused_allocation refused(1);
  const auto numbers = large_generator();
  CHECK(refused.was_refused());
  CHECK(!numbers.has_frame());
  CHECK(numbers.has_ended());
}
