// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>

// Calls whose requests and replies have destructors, copies that throw, or no copy.

using namespace baton;
using async::result;
using async::task;

namespace {

using names = endpoint<int, std::string>;

std::string name_of(int n) {
  return "a name that needs memory of its own: " + std::to_string(n);
}

task<> serve_names(names& at, int times) {
  names::served_type s;
  for (int i = 0; i != times; ++i) {
    if (co_await at.receive(s) != status::ok) co_return;
    co_await async::yield();
    CHECK_EQ(at.reply(s, name_of(s.request())), status::ok);
  }
}

task<> ask_names(names& at, int from, int to, int& right) {
  for (int n = from; n != to; ++n) {
    const result<std::string> name = co_await async::call(at, n);
    if (name && *name == name_of(n)) ++right;
  }
}

/// A value that is counted while it exists, and whose copies throw when their number is 0.
struct counted {
  static inline int alive = 0;
  static inline int copies_until_throw = -1;

  explicit counted(int n = 0) : number(n) { ++alive; }
  counted(const counted& other) : number(other.number) {
    may_throw();
    ++alive;
  }
  counted(counted&& other) noexcept : number(other.number) { ++alive; }
  counted& operator=(const counted& other) {
    may_throw();
    number = other.number;
    return *this;
  }
  counted& operator=(counted&&) noexcept = default;
  ~counted() { --alive; }

  static void may_throw() {
    if (copies_until_throw-- == 0) throw std::bad_alloc();
  }

  int number;
};

using counters = endpoint<counted, counted>;

/// Calls until each of its calls has been answered; counts the exceptions.
task<> call_again(counters& at, int calls, int& sum, int& thrown) {
  for (int n = 1; n <= calls;) {
    try {
      const result<counted> r = co_await async::call(at, counted(n));
      sum += r->number;
      ++n;
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
    co_await async::yield();
  }
}

task<> serve_again(counters& at, int& thrown) {
  counters::served_type s;
  for (;;) {
    try {
      if (!s.is_open()) {
        if (co_await at.receive(s) != status::ok) co_return;
      }
      const counted answer(10 * s.request().number);
      const status replied = at.reply(s, answer);
      CHECK_EQ(replied, status::ok);
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
  }
}

task<> receive_once(counters& at, counters::served_type& to) {
  CHECK_EQ(co_await at.receive(to), status::ok);
}

}  // namespace

TEST_CASE("an endpoint replies with strings, whoever comes first") {
  for (const bool server_first : {true, false}) {
    names at;
    int right = 0;
    async::scope s;
    if (server_first) s.spawn(serve_names(at, 6));
    s.spawn(ask_names(at, 0, 3, right));
    s.spawn(ask_names(at, 3, 6, right));
    if (!server_first) s.spawn(serve_names(at, 6));
    scheduler::run();
    CHECK_EQ(right, 6);
    CHECK_EQ(s.running(), 0u);
  }
}

TEST_CASE("an endpoint carries requests and replies that can only be moved") {
  using desk = endpoint<std::unique_ptr<int>, std::unique_ptr<int>>;
  desk at;
  int got = 0;
  async::scope s;
  s.spawn([](desk& on, int& to) -> task<> {
    for (int n = 1; n != 4; ++n) {
      const result<std::unique_ptr<int>> r = co_await async::call(on, std::make_unique<int>(n));
      to = to * 10 + **r;
    }
    on.close();
  }(at, got));
  s.spawn([](desk& on) -> task<> {
    desk::served_type now;
    while (co_await on.receive(now) == status::ok) {
      CHECK_EQ(on.reply(now, std::make_unique<int>(*now.request() + 1)), status::ok);
    }
  }(at));
  scheduler::run();
  CHECK_EQ(got, 234);
}

TEST_CASE("a client that is destroyed while it is served leaves no value behind, and its server hears it") {
  {
    counters at;
    counters::served_type held;
    async::scope clients, server;
    int sum = 0, thrown = 0;
    clients.spawn(call_again(at, 1, sum, thrown));
    server.spawn(receive_once(at, held));
    scheduler::run_until_idle();
    CHECK(held.is_open());
    clients.destroy_all();
    CHECK(!held.is_open());
    CHECK_EQ(at.reply(held, counted(1)), status::peer_gone);
  }
  CHECK_EQ(counted::alive, 0);
}

TEST_CASE("a client that is destroyed in the queue has not called") {
  {
    counters at;
    counters::served_type held;
    async::scope clients;
    int sum = 0, thrown = 0;
    clients.spawn(call_again(at, 1, sum, thrown));
    scheduler::run_until_idle();
    clients.destroy_all();
    CHECK_EQ(at.try_receive(held), status::empty);
  }
  CHECK_EQ(counted::alive, 0);
}

TEST_CASE("a client whose deadline comes while it is served goes on, and the reply comes too late") {
  {
    counters at;
    counters::served_type held;
    async::scope s;
    bool is_late = false;
    s.spawn([](counters& on, bool& late) -> task<> {
      const result<counted> r = co_await async::within(milliseconds(1), async::call(on, counted(5)));
      late = r.status() == status::timed_out;
    }(at, is_late));
    s.spawn(receive_once(at, held));
    scheduler::run();
    CHECK(is_late);
    CHECK_EQ(at.reply(held, counted(1)), status::peer_gone);
  }
  CHECK_EQ(counted::alive, 0);
}

TEST_CASE("a server that abandons a call ends it") {
  {
    counters at;
    counters::served_type held;
    async::scope s;
    status ended = status::ok;
    s.spawn(
        [](counters& on, status& to) -> task<> { to = (co_await async::call(on, counted(5))).status(); }(at, ended));
    s.spawn(receive_once(at, held));
    scheduler::run();
    held.abandon();
    scheduler::run();
    CHECK_EQ(ended, status::peer_gone);
  }
  CHECK_EQ(counted::alive, 0);
}

TEST_CASE("a call goes on whichever copy of its values throws") {
  int all_thrown = 0;
  for (int n = 0;; ++n) {
    DOCTEST_CAPTURE(n);
    int sum = 0, of_clients = 0, of_server = 0;
    {
      counters at;
      async::scope s;
      const bool server_first = n % 2 == 0;
      if (server_first) s.spawn(serve_again(at, of_server));
      s.spawn(call_again(at, 2, sum, of_clients));
      s.spawn(call_again(at, 2, sum, of_clients));
      if (!server_first) s.spawn(serve_again(at, of_server));
      counted::copies_until_throw = n / 2;
      scheduler::run_until_idle();
      CHECK_EQ(sum, 60);
      at.close();
      scheduler::run();
      CHECK_EQ(s.running(), 0u);
    }
    CHECK_EQ(counted::alive, 0);
    CHECK(of_clients + of_server <= 1);
    all_thrown += of_clients + of_server;
    if (counted::copies_until_throw >= 0) break;  // no copy was the one that throws
  }
  counted::copies_until_throw = -1;
  CHECK(all_thrown > 8);
}

TEST_CASE("a wait after a call that threw is as any other: its value is counted when it is dropped") {
  counters at;
  counters::served_type held;
  channel<int> values;
  async::scope s;
  s.spawn(receive_once(at, held));  // so that the call hands over
  s.spawn([](counters& on, channel<int>& from) -> task<> {
    const counted request(1);
    bool has_thrown = false;
    try {
      static_cast<void>(co_await async::call(on, request));
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    }
    CHECK(has_thrown);
    int value = 0;
    static_cast<void>(co_await from.receive(value));
  }(at, values));
  counted::copies_until_throw = 1;  // the first copy is into the operation
  scheduler::run_until_idle();
  counted::copies_until_throw = -1;
  const auto before = dropped_values();
  CHECK_EQ(values.try_send(7), status::ok);
  s.destroy_all();
  CHECK_EQ(dropped_values() - before, 1);
}
