// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>
#include <utility>

using namespace baton;
using async::join_handle;
using async::result;
using async::task;

namespace {

/// Counts the objects that are alive; can only be moved.
struct counted {
  explicit counted(int& alive) : alive_(&alive) { ++*alive_; }
  counted(counted&& other) noexcept : alive_(std::exchange(other.alive_, nullptr)) {}
  counted& operator=(counted&&) = delete;
  ~counted() {
    if (alive_) --*alive_;
  }
  int* alive_;
};

/// Gives `n` after a time, or minus `n` if it is stopped.
task<int> after(duration length, int n) {
  const status how = co_await async::sleep_for(length);
  co_return how == status::ok ? n : -n;
}

task<int> at_once(int n) {
  co_return n;
}

task<counted> makes(int& alive, duration length) {
  counted made(alive);
  co_await async::sleep_for(length);
  co_return made;
}

task<> join(const join_handle<int>& h, int& got, status& how) {
  const result<int> r = co_await h.join();
  how = r.status();
  if (r) got = *r;
}

template <typename Body>
void run(Body body) {
  async::scope s;
  s.spawn(body());
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  s.destroy_all();
  CHECK_EQ(async::frames().frames, 0u);
}

}  // namespace

TEST_CASE("a join gives the result of a task, which ends after the join or before it") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> late = async::spawn(s, after(milliseconds(5), 7));
    CHECK(late.has_task());
    CHECK(!late.is_done());
    const result<int> seven = co_await late.join();
    CHECK_EQ(seven.value_or(0), 7);
    CHECK_EQ(port::now(), milliseconds(5));
    CHECK(late.is_done());
    join_handle<int> early = async::spawn(s, at_once(8));
    co_await s.join();
    CHECK(early.is_done());
    const result<int> eight = co_await early.join();
    CHECK_EQ(eight.value_or(0), 8);
  };
  run(body);
}

TEST_CASE("a spawned task begins in its turn, behind what was spawned before it") {
  std::string order;
  async::scope s;
  auto says = [](std::string& to, char c) -> task<> {
    to += c;
    co_return;
  };
  s.spawn(says(order, 'a'));
  auto h = async::spawn(s, says(order, 'b'));
  s.spawn(says(order, 'c'));
  CHECK_EQ(order, "");
  scheduler::run();
  CHECK_EQ(order.substr(0, 1), "a");
  CHECK_EQ(order.size(), 3u);
  CHECK(h.is_done());
}

TEST_CASE("a result is given once; further joins are closed") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> h = async::spawn(s, after(milliseconds(5), 7));
    async::scope joiners;
    int first = 0, second = 0;
    status how_first = status::empty, how_second = status::empty;
    joiners.spawn(join(h, first, how_first));
    joiners.spawn(join(h, second, how_second));
    co_await joiners.join();
    CHECK_EQ(first, 7);
    CHECK_EQ(how_first, status::ok);
    CHECK_EQ(how_second, status::closed);
    const result<int> third = co_await h.join();
    CHECK_EQ(third.status(), status::closed);
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a task without a value is joined, too, once") {
  auto body = []() -> task<> {
    bool ran = false;
    async::scope s;
    auto sets = [](bool& b) -> task<> {
      co_await async::yield();
      b = true;
    };
    join_handle<> h = async::spawn(s, sets(ran));
    const result<void> first = co_await h.join();
    CHECK(first.has_value());
    CHECK(ran);
    const result<void> second = co_await h.join();
    CHECK_EQ(second.status(), status::closed);
    co_await s.join();
  };
  run(body);
}

TEST_CASE("results that can only be moved come through, and are destroyed where nobody takes them") {
  int alive = 0;
  auto body = [&]() -> task<> {
    async::scope s;
    {
      auto h = async::spawn(s, makes(alive, milliseconds(1)));
      result<counted> r = co_await h.join();
      CHECK(r.has_value());
      CHECK_EQ(alive, 1);
    }
    CHECK_EQ(alive, 0);
    auto kept = async::spawn(s, makes(alive, milliseconds(1)));
    auto dropped = async::spawn(s, makes(alive, milliseconds(1)));
    dropped = join_handle<counted>();
    co_await s.join();
    CHECK_EQ(alive, 1);
    kept = join_handle<counted>();
    CHECK_EQ(alive, 0);
  };
  run(body);
  CHECK_EQ(alive, 0);
}

TEST_CASE("a handle that is dropped lets its task go on") {
  int ended = 0;
  auto body = [&]() -> task<> {
    async::scope s;
    auto counts = [](int& n) -> task<int> {
      co_await async::sleep_for(milliseconds(3));
      co_return ++n;
    };
    static_cast<void>(async::spawn(s, counts(ended)));
    co_await s.join();
    CHECK_EQ(ended, 1);
    CHECK_EQ(port::now(), milliseconds(3));
  };
  run(body);
}

TEST_CASE("a stop of a handle stops its task alone, and what it returns is the result") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> a = async::spawn(s, after(seconds(1), 7));
    join_handle<int> b = async::spawn(s, after(milliseconds(5), 8));
    co_await async::sleep_for(milliseconds(1));
    a.stop();
    a.stop();
    const result<int> first = co_await a.join();
    CHECK_EQ(first.value_or(0), -7);
    CHECK_EQ(port::now(), milliseconds(1));
    const result<int> second = co_await b.join();
    CHECK_EQ(second.value_or(0), 8);
    CHECK(!s.is_stopping());
    a.stop();
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a stop of the scope stops the tasks of its handles, also one that has not begun") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> h = async::spawn(s, after(seconds(1), 7));
    co_await async::sleep_for(milliseconds(1));
    join_handle<int> new_one = async::spawn(s, after(seconds(1), 8));
    s.stop();
    join_handle<int> late = async::spawn(s, after(seconds(1), 9));
    co_await s.join();
    CHECK_EQ(port::now(), milliseconds(1));
    for (auto* one : {&h, &new_one, &late}) {
      const result<int> r = co_await one->join();
      CHECK(r.value_or(0) < 0);
    }
  };
  run(body);
}

TEST_CASE("a join with a deadline gives up the join, and the task goes on") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> h = async::spawn(s, after(milliseconds(5), 7));
    const result<int> too_late = co_await async::within(milliseconds(2), h.join());
    CHECK_EQ(too_late.status(), status::timed_out);
    CHECK_EQ(port::now(), milliseconds(2));
    const result<int> in_time = co_await async::within(milliseconds(9), h.join());
    CHECK_EQ(in_time.value_or(0), 7);
    CHECK_EQ(port::now(), milliseconds(5));
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a stop ends the join of the stopped coroutine, and not the task; so does a token") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> h = async::spawn(s, after(milliseconds(5), 7));
    async::scope joiners;
    int got = 0;
    status how = status::ok;
    joiners.spawn(join(h, got, how));
    co_await async::yield();
    joiners.stop();
    co_await joiners.join();
    CHECK_EQ(how, status::cancelled);

    async::stop_source source;
    auto until = [](join_handle<int>& of, async::stop_token t, status& to) -> task<> {
      const result<int> r = co_await async::until_stop(t, of.join());
      to = r.status();
    };
    async::scope others;
    others.spawn(until(h, source.token(), how));
    how = status::ok;
    co_await async::yield();
    source.stop();
    co_await others.join();
    CHECK_EQ(how, status::cancelled);
    async::stop_source never;
    others.spawn(until(h, never.token(), how));
    co_await others.join();
    CHECK_EQ(how, status::ok);
    CHECK_EQ(port::now(), milliseconds(5));
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a join is a case of a select, and gives the result afterwards") {
  auto body = []() -> task<> {
    async::scope s;
    baton::signal bell;
    join_handle<int> h = async::spawn(s, after(milliseconds(5), 7));
    const async::selection first = co_await async::select(bell.wait(), h.join());
    CHECK(static_cast<bool>(first));
    CHECK_EQ(first.index, 1);
    const result<int> r = co_await h.join();
    CHECK_EQ(r.value_or(0), 7);
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a handle outlives its scope, and a join the handle") {
  join_handle<int> outlives;
  int got = 0;
  status how = status::empty;
  async::scope joiners;
  {
    async::scope s;
    outlives = async::spawn(s, at_once(7));
    scheduler::run();
  }
  CHECK(outlives.is_done());
  joiners.spawn(join(outlives, got, how));
  scheduler::run();
  CHECK_EQ(got, 7);
  outlives.stop();

  auto joins = [](join_handle<int>& h, int& to) -> task<> {
    const result<int> r = co_await h.join();
    to = r.value_or(0);
  };
  async::scope s;
  auto short_lived = std::make_unique<join_handle<int>>(async::spawn(s, after(milliseconds(2), 9)));
  joiners.spawn(joins(*short_lived, got));
  scheduler::run_until_idle();
  short_lived.reset();
  scheduler::run();
  CHECK_EQ(got, 9);
  CHECK_EQ(joiners.running(), 0u);
}

TEST_CASE("the join of a task that is destroyed before it ends says that the task is gone") {
  int alive = 0, got = 0;
  status how = status::ok, how_waiting = status::ok;
  async::scope joiners;
  async::scope s;
  join_handle<int> waiting = async::spawn(s, after(seconds(1), 7));
  auto holds = async::spawn(s, makes(alive, seconds(1)));
  joiners.spawn(join(waiting, got, how_waiting));
  scheduler::run_until_idle();
  join_handle<int> not_begun = async::spawn(s, at_once(7));
  CHECK_EQ(alive, 1);
  s.destroy_all();
  CHECK_EQ(alive, 0);
  CHECK_EQ(s.running(), 0u);
  CHECK(holds.is_done());
  CHECK(not_begun.is_done());
  joiners.spawn(join(not_begun, got, how));
  scheduler::run();
  CHECK_EQ(how_waiting, status::peer_gone);
  CHECK_EQ(how, status::peer_gone);
  CHECK_EQ(got, 0);
}

TEST_CASE("who joins may be destroyed before the task ends, when it has ended, and with the task") {
  for (int destroyed_at : {0, 1, 2}) {
    int got = 0;
    status how = status::empty;
    async::scope s;
    async::scope joiners;
    async::scope other;
    join_handle<int> h = async::spawn(s, after(seconds(1), 7));
    joiners.spawn(join(h, got, how));
    scheduler::run_until_idle();
    auto destroys = [](async::scope& one) -> task<> {
      co_await async::yield();  // behind the task, before who joins it
      one.destroy_all();
    };
    if (destroyed_at == 1) {
      h.stop();
      other.spawn(destroys(joiners));
      scheduler::run_until_idle();
      CHECK(h.is_done());
    }
    if (destroyed_at == 2) s.destroy_all();
    joiners.destroy_all();
    scheduler::run();
    CHECK_EQ(got, 0);
    CHECK_EQ(how, status::empty);
    s.destroy_all();
  }
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a handle without a task is done, and its join ends at once") {
  auto body = []() -> task<> {
    async::scope s;
    join_handle<int> none;
    CHECK(!none.has_task());
    CHECK(none.is_done());
    none.stop();
    const result<int> r = co_await none.join();
    CHECK_EQ(r.status(), status::full);
    join_handle<int> of_nothing = async::spawn(s, task<int>());
    CHECK(!of_nothing.has_task());
    join_handle<int> from = async::spawn(s, at_once(1));
    join_handle<int> to = std::move(from);
    CHECK(!from.has_task());  // NOLINT(bugprone-use-after-move)
    const result<int> one = co_await async::within(milliseconds(1), to.join());
    CHECK_EQ(one.value_or(0), 1);
    co_await s.join();
  };
  run(body);
}
