// SPDX-License-Identifier: MIT
#include <baton/test/random.hpp>
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

constexpr tick per_ms = port::ticks_per_second / 1000;

/// A type of the shape of std::chrono::duration, which core's tests do not have on each board.
template <int64_t Numerator, int64_t Denominator, typename Count = int64_t>
struct chrono_like {
  using rep = Count;
  struct period {
    static constexpr int64_t num = Numerator;
    static constexpr int64_t den = Denominator;
  };
  constexpr Count count() const { return counted; }
  Count counted;
};
using picoseconds = chrono_like<1, 1000000000000>;
using thirds = chrono_like<1, 3, int32_t>;
using minutes = chrono_like<60, 1, uint16_t>;

// Each is a constant, with each compiler and without optimisation.
static_assert((5_ms).ticks() == 5 * per_ms, "a literal is its ticks");
static_assert(1'500_ms == 1500000_us && 2_s == 2000_ms && 0_ms == duration(), "units differ, times do not");
static_assert(3_ms + 2_ms == 5_ms && 3_ms - 2_ms == 1_ms && 3_ms * 4 == 12_ms && 4 * 3_ms == 12_ms && 9_ms / 3 == 3_ms,
              "arithmetic of constants");
static_assert(9_ms / 2_ms == 4 && 2_ms < 3_ms && 3_ms <= 3_ms && 4_ms > 3_ms && 4_ms >= 4_ms && 4_ms != 3_ms, "order");
static_assert(ticks(7).ticks() == 7 && ticks(longest_delay).ticks() == longest_delay, "a count of ticks");
static_assert(tick{10} + ticks(4) == tick{14} && tick{10} - ticks(4) == tick{6} && tick{10} / ticks(4) == tick{2} &&
                  tick{10} % ticks(4) == tick{2},
              "a reading of the clock and a duration");
static_assert(tick{10} > ticks(9) && tick{10} >= ticks(10) && tick{10} < ticks(11) && tick{10} <= ticks(10) &&
                  tick{10} == ticks(10) && tick{10} != ticks(11),
              "a count of ticks is compared with a duration");
static_assert(duration(minutes{2}) == 120_s && duration(thirds{6}) == 2_s && duration(picoseconds{0}) == 0_s,
              "a duration of std::chrono's shape");
static_assert(time_limit(5_ms).is_finite() && time_limit(5_ms).ticks() == (5_ms).ticks() &&
                  !time_limit(forever).is_finite() && time_limit(5_ms) != time_limit(forever),
              "a limit is a duration, or forever");
static_assert(sizeof(duration) == sizeof(tick) && sizeof(time_limit) == sizeof(tick), "a duration is a tick");

/// Waits no longer than a limit of any type.
template <typename Limit>
struct waiter_within : coroutine<waiter_within<Limit>, deadline> {
  waiter_within(baton::signal& s, Limit l) : bell(s), limit(l) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(limit, bell.wait());
    how = this->result();
    is_over = true;
    BATON_END();
  }
  baton::signal& bell;
  Limit limit;
  status how = status::closed;
  bool is_over = false;
};

struct selects_for_ever : coroutine<selects_for_ever, selecting<2, deadline>> {
  selects_for_ever(baton::signal& a, baton::signal& b) : first(a), second(b) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_SELECT_FOR(forever, first.wait(), second.wait());
    index = selected();
    BATON_END();
  }
  baton::signal& first;
  baton::signal& second;
  uint8_t index = 9;
};

template <typename Base>
struct sleeper : coroutine<sleeper<Base>, Base> {
  explicit sleeper(duration d) : length(d) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_DELAY(length);
    woken_at = port::now();
    BATON_END();
  }
  duration length;
  tick woken_at = 0;
};

struct beat : coroutine<beat, periodic<timed>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (; runs < 3; ++runs) {
      BATON_PERIOD(10_ms, catch_up::skip);
      MARK("at", static_cast<uint32_t>(port::now() / 1_ms));
      sim::advance(3_ms);
    }
    BATON_END();
  }
  uint8_t runs = 0;
};

}  // namespace

TEST_CASE("computed durations are those of the literals") {
  volatile uint16_t n = 5;
  CHECK(milliseconds(n) == 5_ms);
  CHECK(microseconds(n) == 5_us);
  CHECK(seconds(n) == 5_s);
  CHECK(ticks(n) == ticks(5));
  CHECK(1_ms * n == 5_ms);
  CHECK(n * 1_ms == 5_ms);
  CHECK(10_ms / n == 2_ms);
  CHECK(milliseconds(n) * n == 25_ms);

  duration d = 1_ms;
  d += milliseconds(n);
  CHECK(d == 6_ms);
  d -= 2_ms;
  CHECK(d == 4_ms);
  tick t = 100;
  t += d;
  CHECK(t == 100 + 4 * per_ms);
  t -= d;
  CHECK(t == 100);
}

TEST_CASE("a duration is never shorter than its count, and less than one tick longer") {
  test::random random(1);
  for (uint16_t i = 0; i < 2000; ++i) {
    const uint32_t us = (uint32_t{random.below(60000)} << random.below(8)) + random.below(9);
    const uint64_t of_us = microseconds(us).ticks();
    CHECK_WITH(of_us * 1000000 >= uint64_t{us} * port::ticks_per_second, us);
    CHECK_WITH(of_us * 1000000 < uint64_t{us} * port::ticks_per_second + 1000000, us);

    const int32_t of_thirds = random.below(600);
    const uint64_t of_a_third = duration(thirds{of_thirds}).ticks();
    CHECK_WITH(of_a_third * 3 >= uint64_t(of_thirds) * port::ticks_per_second, of_thirds);
    CHECK_WITH(of_a_third * 3 < uint64_t(of_thirds) * port::ticks_per_second + 3, of_thirds);
  }
  CHECK(duration(picoseconds{1}) == ticks(1));
  CHECK(duration(picoseconds{1000000000001}) == 1_s + ticks(1));
  CHECK(duration(picoseconds{-5}) == 0_s);
}

TEST_CASE("a computed duration beyond the clock's range stops the program") {
  volatile tick most = longest_delay;
  CHECK(ticks(most).ticks() == longest_delay);
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(most + 1)));
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(most) + ticks(most)));
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(1) - ticks(most)));
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(most) * 2));
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(2) * most));
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(most) * most));
  volatile int8_t below_zero = -1;
  CHECK_TRAPS(delay_too_long, static_cast<void>(1_ms * below_zero));
  CHECK_TRAPS(delay_too_long, static_cast<void>(milliseconds(below_zero)));
  volatile int64_t before = -1;
  CHECK_TRAPS(delay_too_long, static_cast<void>(microseconds(before)));
  volatile uint64_t beyond_32_bits = uint64_t{UINT32_MAX} + 2;
  CHECK_TRAPS(delay_too_long, static_cast<void>(seconds(beyond_32_bits)));
  volatile int64_t of_ps = INT64_MAX;
  const bool is_beyond = sizeof(tick) < 8;
  if (is_beyond) CHECK_TRAPS(delay_too_long, static_cast<void>(duration(picoseconds{of_ps})));
  volatile uint64_t of_minutes = UINT64_MAX / 2;
  CHECK_TRAPS(delay_too_long, static_cast<void>(duration(chrono_like<60, 1, uint64_t>{of_minutes})));
}

TEST_CASE("a product at the edge of the range is exact") {
  volatile tick tenth = longest_delay / 10;
  volatile uint8_t ten = 10;
  CHECK((ticks(tenth) * ten).ticks() == longest_delay / 10 * 10);
  CHECK_TRAPS(delay_too_long, static_cast<void>(ticks(tenth + 1) * ten));
}

TEST_CASE("a delay lasts as long as its duration, also across the wrap of the clock") {
  for (uint8_t i = 0; i < 2; ++i) {
    const tick begin = i == 0 ? tick{0} : static_cast<tick>(tick{0} - 2_ms);
    sim::clock::get().now = begin;
    sleeper<timed> a{5_ms};
    sleeper<deadline> b{7_ms};
    sleeper<timed_waiting> c{0_ms};
    sleeper<long_timed> d{6_ms};
    a.start();
    b.start();
    c.start();
    d.start();
    scheduler::run();
    CHECK(a.woken_at == static_cast<tick>(begin + 5_ms));
    CHECK(b.woken_at == static_cast<tick>(begin + 7_ms));
    CHECK(c.woken_at == begin);
    CHECK(d.woken_at == static_cast<tick>(begin + 6_ms));
  }
}

TEST_CASE("a period of a duration keeps to its grid") {
  beat b;
  b.start();
  scheduler::run();
  CHECK_TRACE("at 10", "at 20", "at 30");
}

TEST_CASE("a wait within forever has no deadline, and arms no timer") {
  baton::signal bell;
  waiter_within<forever_t> w(bell, forever);
  w.start();
  scheduler::run();
  CHECK(timers::first() == nullptr);
  CHECK(!w.is_over);
  bell.set();
  scheduler::run();
  CHECK(w.is_over);
  CHECK(w.how == status::ok);
}

TEST_CASE("a limit of run time is a deadline, or none") {
  baton::signal bell;
  waiter_within<time_limit> bounded(bell, 5_ms);
  waiter_within<time_limit> endless(bell, forever);
  bounded.start();
  endless.start();
  scheduler::run();
  CHECK(port::now() == 5_ms);
  CHECK(bounded.how == status::timed_out);
  CHECK(!endless.is_over);
  bell.set();
  scheduler::run();
  CHECK(endless.is_over);
  CHECK(endless.how == status::ok);
}

TEST_CASE("a select within forever has no deadline") {
  baton::signal a, b;
  selects_for_ever s(a, b);
  s.start();
  scheduler::run();
  CHECK(timers::first() == nullptr);
  b.set();
  scheduler::run();
  CHECK(s.index == 1);
}

TEST_CASE("a wait takes a duration of std::chrono's shape") {
  baton::signal bell;
  waiter_within<picoseconds> w(bell, picoseconds{2000000000});
  w.start();
  scheduler::run();
  CHECK(port::now() == 2_ms);
  CHECK(w.how == status::timed_out);
}
