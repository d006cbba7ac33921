// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/trace.hpp>
#include <chrono>
#include <memory>

using namespace baton;
using async::task;

namespace {

static_assert(duration(std::chrono::milliseconds(5)) == 5_ms && duration(std::chrono::hours(1)) == 3600_s,
              "a constant of std::chrono is a constant duration");
static_assert(duration(std::chrono::seconds(-1)) == 0_s, "the past is now");

/// Receives within a limit, and notes the result and the time.
struct attempt {
  status how = status::empty;
  tick at = 0;
};

template <typename Limit>
task<> receive_within(Limit limit, channel<int>& from, attempt& note) {
  int value = 0;
  note.how = co_await async::within(limit, from.receive(value));
  note.at = port::now();
}

template <typename Limit>
task<> doze(Limit length, attempt& note) {
  note.how = co_await async::sleep_for(length);
  note.at = port::now();
}

}  // namespace

TEST_CASE("a delay and a deadline take a duration of std::chrono") {
  using namespace std::chrono_literals;
  attempt slept, waited, timed, late;
  channel<int> never_sent;
  async::scope s;
  s.spawn(doze(5ms, slept));
  s.spawn(doze(std::chrono::duration<int, std::ratio<1, 300>>(1), timed));  // 3.33 ms, rounded up to a tick
  s.spawn(receive_within(2500us, never_sent, waited));
  s.spawn([](channel<int>& from, attempt& note) -> task<> {
    const async::result<int> got = co_await async::within(7ms, async::receive(from));
    note = {got.status(), port::now()};
  }(never_sent, late));
  scheduler::run();
  CHECK(slept.how == status::ok);
  CHECK(slept.at == 5_ms);
  CHECK(timed.at == ticks((port::ticks_per_second + 299) / 300));
  CHECK(waited.how == status::timed_out);
  CHECK(waited.at == 2500_us);
  CHECK(late.how == status::timed_out);
  CHECK(late.at == 7_ms);
}

TEST_CASE("within forever an operation waits until it happens, and arms no timer") {
  attempt constant, chosen, bounded, longest;
  channel<int> c, none;
  auto l = std::make_unique<async::loop>();
  l->spawn(receive_within(forever, c, constant));
  l->spawn(receive_within(time_limit(forever), c, chosen));
  l->spawn(receive_within(ticks(longest_delay), c, longest));
  l->spawn(receive_within(time_limit(5_ms), none, bounded));
  size_t armed = 99;
  l->spawn([](async::loop& own, channel<int>& to, size_t& timers) -> task<> {
    static_cast<void>(co_await async::sleep_for(100_s));
    timers = own.timers();
    for (int i = 0; i < 3; ++i) CHECK(co_await to.send(i) == status::ok);
  }(*l, c, armed));
  l->run();
  CHECK(armed == 1);  // that of the longest delay
  CHECK(constant.how == status::ok);
  CHECK(constant.at == 100_s);
  CHECK(chosen.how == status::ok);
  CHECK(longest.how == status::ok);
  CHECK(bounded.how == status::timed_out);
  CHECK(bounded.at == 5_ms);
}

TEST_CASE("within forever a join and a task wait until they end") {
  tick joined_at = 0, ended_at = 0;
  int value = 0;
  async::scope s;
  s.spawn([](tick& at) -> task<> {
    async::scope inner;
    attempt ignored;
    inner.spawn(doze(30_ms, ignored));
    CHECK(co_await async::within(time_limit(10_ms), inner.join()) == status::timed_out);
    CHECK(co_await async::within(forever, inner.join()) == status::ok);
    at = port::now();
  }(joined_at));
  s.spawn([](tick& at, int& to) -> task<> {
    const auto slow = []() -> task<int> {
      static_cast<void>(co_await async::sleep_for(20_ms));
      co_return 7;
    };
    CHECK((co_await async::within(time_limit(10_ms), slow())).status() == status::timed_out);
    const async::result<int> got = co_await async::within(forever, slow());
    to = got ? *got : 0;
    at = port::now();
  }(ended_at, value));
  scheduler::run();
  CHECK(joined_at == 30_ms);
  CHECK(ended_at == 30_ms);
  CHECK(value == 7);
}

TEST_CASE("a delay for ever ends by a cancel") {
  attempt constant, chosen;
  async::scope s;
  s.spawn(doze(forever, constant));
  s.spawn(doze(time_limit(forever), chosen));
  scheduler::run();
  CHECK(port::now() == 0);
  CHECK(s.running() == 2u);
  s.stop();
  scheduler::run();
  CHECK(s.running() == 0u);
  CHECK(constant.how == status::cancelled);
  CHECK(chosen.how == status::cancelled);
}
