// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_select.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>
#include <utility>

// Selects, waits until a stop and deadlines of what is no wait of a primitive.

using namespace baton;
using async::selection;
using async::task;

namespace {

/// Gives `n` after so many milliseconds, or minus `n` if it is stopped.
task<int> after(uint32_t ms, int n) {
  const status how = co_await async::sleep_for(milliseconds(ms));
  co_return how == status::ok ? n : -n;
}

task<> send_after(channel<int>& to, uint32_t ms, int n) {
  co_await async::sleep_for(milliseconds(ms));
  const status how = co_await to.send(n);
  CHECK_EQ(how, status::ok);
}

/// Foreign to Baton: it keeps the handle, and knows nothing of stops.
struct foreign {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { *kept = h; }
  int await_resume() const noexcept { return 7; }
  std::coroutine_handle<>* kept;
};

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

TEST_CASE("an awaiter of another library, and a wait with a deadline, take a deadline") {
  auto body = []() -> task<> {
    std::coroutine_handle<> kept;
    baton::signal bell;
    auto resumes = [](std::coroutine_handle<>& h, uint32_t ms) -> task<> {
      co_await async::sleep_for(milliseconds(ms));
      h.resume();
    };
    async::scope s;
    s.spawn(resumes(kept, 2));
    const async::result<int> in_time = co_await async::within(milliseconds(5), foreign{&kept});
    CHECK_EQ(*in_time, 7);
    const tick begun = port::now();
    s.spawn(resumes(kept, 9));
    const async::result<int> late = co_await async::within(milliseconds(5), foreign{&kept});
    CHECK_EQ(late.status(), status::timed_out);
    CHECK_EQ(port::now() - begun, milliseconds(9).ticks());
    const status outer = co_await async::within(milliseconds(2), async::within(milliseconds(20), bell.wait()));
    CHECK_EQ(outer, status::timed_out);
    CHECK_EQ(port::now() - begun, milliseconds(11).ticks());
    const status inner = co_await async::within(milliseconds(20), async::within(milliseconds(2), bell.wait()));
    CHECK_EQ(inner, status::timed_out);
    CHECK_EQ(port::now() - begun, milliseconds(13).ticks());
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a delay is a case: it ends the select when it is due, and not when another case has") {
  auto body = []() -> task<> {
    channel<int> numbers;
    int got = 0;
    async::scope s;
    const tick begun = port::now();
    selection first = co_await async::select(numbers.receive(got), async::sleep_for(milliseconds(5)));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::ok);
    CHECK_EQ(port::now() - begun, milliseconds(5).ticks());
    CHECK_EQ(numbers.try_send(1), status::full);  // the receive has left its list
    s.spawn(send_after(numbers, 2, 7));
    first = co_await async::select(numbers.receive(got), async::sleep_for(milliseconds(5)));
    CHECK_EQ(first.index, 0);
    CHECK_EQ(got, 7);
    CHECK_EQ(port::now() - begun, milliseconds(7).ticks());
    const async::detail::sleep_operation<baton::duration> delay = async::sleep_for(milliseconds(3));
    first = co_await async::select(async::sleep_for(milliseconds(9)), delay, async::sleep_for(milliseconds(4)));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(port::now() - begun, milliseconds(10).ticks());
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a select with a delay takes no frame, and a deadline and a stop end it") {
  auto waits = [](selection& to, async::stop_token t) -> task<> {
    baton::signal bell;
    to = co_await async::until_stop(t, async::select(bell.wait(), async::sleep_for(seconds(1))));
  };
  auto body = [&]() -> task<> {
    baton::signal bell;
    const size_t before = async::frames().frames;
    selection first =
        co_await async::within(milliseconds(2), async::select(bell.wait(), async::sleep_for(milliseconds(5))));
    CHECK_EQ(first.status, status::timed_out);
    CHECK_EQ(async::frames().frames, before);
    async::scope s;
    async::stop_source source;
    selection stopped{}, by_token{};
    s.spawn(waits(by_token, source.token()));
    co_await async::sleep_for(milliseconds(1));
    source.stop();
    co_await s.join();
    CHECK_EQ(by_token.status, status::cancelled);
    async::stop_source never;
    s.spawn(waits(stopped, never.token()));
    co_await async::sleep_for(milliseconds(1));
    s.stop();
    co_await s.join();
    CHECK_EQ(stopped.status, status::cancelled);
    CHECK(port::now() < seconds(1).ticks());
  };
  run(body);
}

TEST_CASE("a receive by value with a name is a case, keeps its value, and serves in one select after the other") {
  auto body = []() -> task<> {
    channel<std::string, 2> words, others;
    auto word = async::as_case(async::receive(words));
    auto other = async::as_case(async::receive(others));
    CHECK(!word.has_result());
    CHECK_EQ(words.try_send("one"), status::ok);
    const size_t before = async::frames().frames;
    selection first = co_await async::select(word, other);
    CHECK_EQ(first.index, 0);
    CHECK(word.has_result());
    CHECK_EQ(word.result(), "one");
    CHECK(!other.has_result());
    first = co_await async::select(word, other, async::sleep_for(milliseconds(1)));
    CHECK_EQ(first.index, 2);
    CHECK(!word.has_result());
    async::scope s;
    auto sends = [](channel<std::string, 2>& to) -> task<> {
      co_await async::sleep_for(milliseconds(1));
      const status how = co_await to.send("two");
      CHECK_EQ(how, status::ok);
    };
    s.spawn(sends(others));
    first = co_await async::select(word, other, async::sleep_for(milliseconds(5)));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(other.result(), "two");
    others.close();
    first = co_await async::select(word, other);
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::closed);
    CHECK(!other.has_result());
    co_await s.join();
    CHECK_EQ(async::frames().frames, before);
  };
  run(body);
}

TEST_CASE("a task is a case: it is begun in its turn, and what it gives is kept in the case, whoever wins") {
  auto body = []() -> task<> {
    baton::signal bell;
    auto wins = async::as_case(after(3, 7));
    auto loses = async::as_case(after(9, 8));
    const tick begun = port::now();
    selection first = co_await async::select(loses, wins, bell.wait());
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::ok);
    CHECK_EQ(wins.result(), 7);
    CHECK(loses.has_result());
    CHECK_EQ(loses.result(), -8);
    CHECK_EQ(port::now() - begun, milliseconds(3).ticks());
    // It has ended: it ends a later select at once.
    first = co_await async::select(bell.wait(), wins);
    CHECK_EQ(first.index, 1);
    // A case behind one that is possible at once is not begun.
    bell.set();
    auto not_begun = async::as_case(after(1, 9));
    first = co_await async::select(bell.wait(), not_begun);
    CHECK_EQ(first.index, 0);
    CHECK(!not_begun.has_result());
    CHECK_EQ(port::now() - begun, milliseconds(3).ticks());
  };
  run(body);
}

TEST_CASE("a select goes on when the children of the lost cases have ended, and not before") {
  auto body = []() -> task<> {
    std::string order;
    auto ends_slowly = [](std::string& to) -> task<> {
      co_await async::sleep_for(seconds(1));
      for (int i = 0; i != 3; ++i) co_await async::yield();
      to += "ended ";
    };
    const selection first = co_await async::select(ends_slowly(order), async::sleep_for(milliseconds(1)));
    order += "selected";
    CHECK_EQ(first.index, 1);
    CHECK_EQ(order, "ended selected");
  };
  run(body);
}

TEST_CASE("calls, joins, deadlines, selects and what others have written are cases; a status is the select's") {
  auto body = []() -> task<> {
    baton::endpoint<int, int> at;
    async::scope s;
    auto serves = [](baton::endpoint<int, int>& from) -> task<> {
      baton::endpoint<int, int>::served_type request;
      for (;;) {
        const status got = co_await from.receive(request);
        if (got != status::ok) co_return;
        co_await async::sleep_for(milliseconds(static_cast<uint32_t>(request.request())));
        CHECK_EQ(from.reply(request, 2 * request.request()) == status::ok, request.request() == 1);
      }
    };
    s.spawn(serves(at));
    baton::endpoint<int, int>::exchange_type x;
    x.request = 1;
    selection first = co_await async::select(at.call(x), async::sleep_for(milliseconds(5)));
    CHECK_EQ(first.index, 0);
    CHECK_EQ(x.reply, 2);
    x.request = 9;
    first = co_await async::select(at.call(x), async::sleep_for(milliseconds(5)));
    CHECK_EQ(first.index, 1);
    auto call = async::as_case(async::call(at, 1));
    first = co_await async::select(async::sleep_for(milliseconds(20)), call);
    CHECK_EQ(first.index, 1);
    CHECK_EQ(*call.result(), 2);
    at.close();
    first = co_await async::select(async::sleep_for(milliseconds(20)), at.call(x));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::closed);
    first = co_await async::select(async::sleep_for(milliseconds(20)), s.join());
    CHECK_EQ(first.index, 1);
    baton::signal bell;
    first = co_await async::select(async::sleep_for(milliseconds(20)), async::within(milliseconds(3), bell.wait()));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::timed_out);
    auto inner = async::as_case(async::select(async::sleep_for(milliseconds(1)), bell.wait()));
    first = co_await async::select(inner, bell.wait());
    CHECK_EQ(first.index, 0);
    CHECK_EQ(inner.result().index, 0);
    std::coroutine_handle<> kept;
    auto other = async::as_case(foreign{&kept});
    auto resumes = [](std::coroutine_handle<>& h) -> task<> {
      co_await async::sleep_for(milliseconds(2));
      h.resume();
    };
    s.spawn(resumes(kept));
    first = co_await async::select(other, bell.wait());
    CHECK_EQ(first.index, 0);
    CHECK_EQ(other.result(), 7);
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a deadline and a stop of a select with children end the children, and keep what they gave") {
  auto body = []() -> task<> {
    baton::signal bell;
    auto late = async::as_case(after(9, 7));
    selection first = co_await async::within(milliseconds(2), async::select(late, bell.wait()));
    CHECK_EQ(first.status, status::timed_out);
    CHECK_EQ(late.result(), -7);
    auto in_time = async::as_case(after(1, 7));
    first = co_await async::within(milliseconds(2), async::select(bell.wait(), in_time));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(first.status, status::ok);
    async::stop_source source;
    async::scope s;
    auto stops = [](async::stop_source& all) -> task<> {
      co_await async::sleep_for(milliseconds(1));
      all.stop();
    };
    s.spawn(stops(source));
    auto stopped = async::as_case(after(9, 7));
    first = co_await async::until_stop(source.token(), async::select(stopped, bell.wait()));
    CHECK_EQ(first.status, status::cancelled);
    CHECK_EQ(stopped.result(), -7);
    co_await s.join();
  };
  run(body);
}

TEST_CASE("a coroutine that is destroyed in a select is destroyed with the children of its cases") {
  channel<int> numbers;
  async::scope s;
  auto selects = [](channel<int>& from) -> task<> {
    auto got = async::as_case(async::receive(from));
    auto child = async::as_case(after(1000, 1));
    const selection first = co_await async::select(got, child, async::sleep_for(seconds(1)));
    static_cast<void>(first);
    CHECK(false);
  };
  s.spawn(selects(numbers));
  scheduler::run_until_idle();
  CHECK(async::frames().frames > 2u);
  s.destroy_all();
  CHECK_EQ(async::frames().frames, 0u);
  CHECK_EQ(numbers.try_send(1), status::full);
}

TEST_CASE("until_stop takes delays, tasks and joins, and gives what they give") {
  auto body = []() -> task<> {
    async::stop_source source;
    async::scope s;
    auto stops = [](async::stop_source& all) -> task<> {
      co_await async::sleep_for(milliseconds(5));
      all.stop();
    };
    s.spawn(stops(source));
    const status slept = co_await async::until_stop(source.token(), async::sleep_for(milliseconds(1)));
    CHECK_EQ(slept, status::ok);
    const async::result<int> in_time = co_await async::until_stop(source.token(), after(1, 7));
    CHECK_EQ(in_time.value_or(0), 7);
    const async::result<int> stopped = co_await async::until_stop(source.token(), after(1000, 7));
    CHECK_EQ(stopped.value_or(0), -7);
    CHECK_EQ(port::now(), milliseconds(5).ticks());
    const status cut = co_await async::until_stop(source.token(), async::sleep_for(seconds(1)));
    CHECK_EQ(cut, status::cancelled);
    async::stop_source never;
    const async::result<void> joined = co_await async::until_stop(never.token(), s.join());
    CHECK(joined.has_value());
  };
  run(body);
}

TEST_CASE("a delay with a deadline ends by what comes first; a task that gives a status gives it in time") {
  auto body = []() -> task<> {
    const status late = co_await async::within(milliseconds(2), async::sleep_for(milliseconds(5)));
    CHECK_EQ(late, status::timed_out);
    const status in_time = co_await async::within(milliseconds(5), async::sleep_for(milliseconds(2)));
    CHECK_EQ(in_time, status::ok);
    CHECK_EQ(port::now(), milliseconds(4).ticks());
    auto sleeps = [](uint32_t ms) -> task<status> { co_return co_await async::sleep_for(milliseconds(ms)); };
    CHECK_EQ(co_await async::within(milliseconds(2), sleeps(5)), status::timed_out);
    CHECK_EQ(co_await async::within(milliseconds(5), sleeps(2)), status::ok);
    async::scope s;
    auto h = async::spawn(s, sleeps(1));
    const status joined = co_await h.join();
    CHECK_EQ(joined, status::ok);
    const status again = co_await h.join();
    CHECK_EQ(again, status::closed);
    co_await s.join();
    async::task_set<status> set;
    CHECK_EQ(set.spawn(sleeps(1)), status::ok);
    const async::result<status> next = co_await set.next();
    CHECK_EQ(next.value_or(status::empty), status::ok);
  };
  run(body);
}

TEST_CASE("cross-loop cases, delays and children are cases of one select") {
  async::loop l;
  async::cross_loop_channel<int> orders;
  auto body = [](async::cross_loop_channel<int>& from) -> task<> {
    int got = 0;
    selection first = co_await async::select(from.receive(got), async::sleep_for(milliseconds(2)));
    CHECK_EQ(first.index, 1);
    auto child = async::as_case(after(1, 7));
    first = co_await async::select(from.receive(got), child, async::sleep_for(milliseconds(2)));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(child.result(), 7);
    async::scope s;
    auto sends = [](async::cross_loop_channel<int>& to) -> task<> {
      co_await async::sleep_for(milliseconds(1));
      const status how = co_await to.send(5);
      CHECK_EQ(how, status::ok);
    };
    s.spawn(sends(from));
    auto other = async::as_case(after(9, 7));
    first = co_await async::select(other, from.receive(got), async::sleep_for(milliseconds(2)));
    CHECK_EQ(first.index, 1);
    CHECK_EQ(got, 5);
    CHECK_EQ(other.result(), -7);
    co_await s.join();
  };
  l.spawn(body(orders));
  l.run();
  CHECK_EQ(l.all().running(), 0u);
}
