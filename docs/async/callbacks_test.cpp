// SPDX-License-Identifier: MIT
//
// The programs of docs/async.md: one job with callbacks and with coroutines, on a driver that calls
// back.
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>

using namespace baton;
using async::task;

namespace {

/// Calls a function later, in virtual time, unless `forget` is called first.
class later {
 public:
  ~later() { pending_.destroy_all(); }

  void call(duration length, void (*function)(void*), void* context) {
    pending_.spawn(wait(*this, ++number_, length, function, context));
  }
  void forget() { ++number_; }

 private:
  static task<> wait(later& self, int number, duration length, void (*function)(void*), void* context) {
    co_await async::sleep_for(length);
    if (self.number_ == number) function(context);
  }

  int number_ = 0;
  async::scope pending_;
};

/// A driver that answers one request at a time by a callback. A script sets the delays.
class sensor {
 public:
  using callback = void (*)(void* context, int value);

  explicit sensor(const uint32_t* delays_ms) : delay_ms_(delays_ms) {}

  void read(callback call, void* context) {
    call_ = call;
    context_ = context;
    later_.call(milliseconds(delay_ms_[asked++]), &answer, this);
  }
  void forget() { later_.forget(); }

  int asked = 0;

 private:
  static void answer(void* self) {
    auto* me = static_cast<sensor*>(self);
    me->call_(me->context_, 20 + me->asked);
  }

  const uint32_t* delay_ms_;
  callback call_ = nullptr;
  void* context_ = nullptr;
  later later_;
};

constexpr int no_average = -1;

/// Computes the average of two readings. A reading that takes longer than 20 ms is requested again;
/// the third failure ends the job.
class average_by_callbacks {
 public:
  using callback = void (*)(void* context, int average);

  average_by_callbacks(sensor& s, callback done, void* context) : sensor_(s), done_(done), context_(context) {}

  void start() {
    late_.call(20_ms, &too_late, this);
    sensor_.read(&answered, this);
  }

 private:
  static void answered(void* self, int value) {
    auto* me = static_cast<average_by_callbacks*>(self);
    me->late_.forget();
    me->sum_ += value;
    if (++me->readings_ == 2) return me->done_(me->context_, me->sum_ / 2);
    me->start();
  }

  static void too_late(void* self) {
    auto* me = static_cast<average_by_callbacks*>(self);
    me->sensor_.forget();
    if (++me->failures_ == 3) return me->done_(me->context_, no_average);
    me->start();
  }

  sensor& sensor_;
  later late_;
  int sum_ = 0;
  int readings_ = 0;
  int failures_ = 0;
  callback done_;
  void* context_;
};

/// Takes one reading: turns the driver's callback into an await.
task<status> read(sensor& s, int& value, duration longest) {
  channel<int, 1> answer;
  struct question {
    ~question() { asked.forget(); }  // the driver must not call into a frame that is gone
    sensor& asked;
  } q{s};
  s.read([](void* to, int v) { CHECK_EQ(static_cast<channel<int, 1>*>(to)->try_send(v), status::ok); }, &answer);
  co_return co_await async::within(longest, answer.receive(value));
}

/// The same average, as a coroutine.
task<int> average(sensor& s) {
  int sum = 0;
  for (int readings = 0, failures = 0; readings < 2;) {
    int value = 0;
    if (co_await read(s, value, 20_ms) == status::ok) {
      sum += value;
      ++readings;
    } else if (++failures == 3) {
      co_return no_average;
    }
  }
  co_return sum / 2;
}

struct outcome {
  int average = 0;
  int asked = 0;
  tick at = 0;
};

outcome by_callbacks(const uint32_t* delays_ms) {
  outcome o;
  sensor s(delays_ms);
  const tick begun = port::now();
  average_by_callbacks a(
      s,
      [](void* to, int value) {
        static_cast<outcome*>(to)->average = value;
        static_cast<outcome*>(to)->at = port::now();
      },
      &o);
  a.start();
  scheduler::run();
  o.asked = s.asked;
  o.at -= begun;
  return o;
}

outcome by_coroutines(const uint32_t* delays_ms) {
  outcome o;
  sensor s(delays_ms);
  const tick begun = port::now();
  async::scope all;
  all.spawn([](sensor& from, outcome& to) -> task<> {
    to.average = co_await average(from);
    to.at = port::now();
  }(s, o));
  scheduler::run();
  CHECK_EQ(all.running(), 0u);
  o.asked = s.asked;
  o.at -= begun;
  return o;
}

}  // namespace

TEST_CASE("callbacks and coroutines ask as often, end at the same time and find the same average") {
  static const uint32_t scripts[][5] = {{5, 5}, {5, 200, 5}, {200, 200, 200}, {19, 21, 200, 7}, {200, 5, 21, 19}};
  static const outcome expected[] = {{21, 2, (10_ms).ticks()},
                                     {22, 3, (30_ms).ticks()},
                                     {no_average, 3, (60_ms).ticks()},
                                     {22, 4, (66_ms).ticks()},
                                     {23, 4, (64_ms).ticks()}};
  for (int i = 0; i < 5; ++i) {
    const outcome a = by_callbacks(scripts[i]), b = by_coroutines(scripts[i]);
    CHECK_WITH(a.average == expected[i].average && b.average == expected[i].average, static_cast<uint32_t>(i));
    CHECK_WITH(a.asked == expected[i].asked && b.asked == expected[i].asked, static_cast<uint32_t>(i));
    CHECK_WITH(a.at == expected[i].at && b.at == expected[i].at, static_cast<uint32_t>(i));
  }
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("the driver does not call into a coroutine that was destroyed while it waited") {
  static const uint32_t delays[] = {5};
  sensor s(delays);
  {
    async::scope all;
    all.spawn([](sensor& from) -> task<> {
      int value = 0;
      static_cast<void>(co_await read(from, value, 1_s));
    }(s));
    scheduler::run_until_idle();
    all.destroy_all();
  }
  scheduler::run();
  CHECK_EQ(port::now(), 5_ms);
  CHECK_EQ(async::frames().frames, 0u);
}
