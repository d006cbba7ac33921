// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <errno.h>
#include <memory>
#include <string>
#include <time.h>
#include <unistd.h>

using namespace baton;
using async::task;

// Every function by which the C library puts a thread to sleep is counted here, and does not sleep.
namespace {
int real_sleeps = 0;
}
extern "C" {
int nanosleep(const struct timespec*, struct timespec*) {
  return ++real_sleeps, 0;
}
int clock_nanosleep(clockid_t, int, const struct timespec*, struct timespec*) {
  return ++real_sleeps, 0;
}
int usleep(useconds_t) {
  return ++real_sleeps, 0;
}
int poll(struct pollfd*, unsigned long, int) {
  return ++real_sleeps, 0;
}
int epoll_wait(int, struct epoll_event*, int, int) {
  return ++real_sleeps, 0;
}
long syscall(long, ...) noexcept {  // the futex has no other function
  return ++real_sleeps, errno = ENOSYS, -1;
}
}

namespace {

constexpr uint32_t hours = 24;

/// A sensor that is read ten times a second, and does not answer for ten seconds in each hour.
task<> sensor(channel<int, 4>& to, tick begin, uint32_t& read) {
  for (uint32_t h = 0; h < hours; ++h) {
    const tick hour = begin + tick{h} * seconds(3600);
    for (uint32_t i = 1; i <= 35900; ++i) {
      co_await async::sleep_until(hour + i * milliseconds(100));
      const status sent = co_await to.send(static_cast<int>(i));
      if (sent == status::ok) ++read;
    }
    co_await async::sleep_until(hour + seconds(3600));
  }
  to.close();
}

/// A reader that notices each gap of the sensor in time.
task<> reader(channel<int, 4>& from, uint32_t& got, uint32_t& missed, tick begin, bool& in_time) {
  for (;;) {
    async::result<int> value = co_await async::within(milliseconds(150), async::receive(from));
    if (value.status() == status::closed) co_return;
    if (value) {
      ++got;
    } else {
      ++missed;
      const tick in_hour = (port::now() - begin) % seconds(3600);
      in_time &= in_hour > seconds(3590) || in_hour < milliseconds(100);
    }
  }
}

/// Counts the hours, and is stopped at the end.
task<> clock(std::string& said, tick begin) {
  for (uint32_t h = 1; co_await async::sleep_until(begin + tick{h} * seconds(3600)) == status::ok; ++h) {
    said += static_cast<char>('a' + (h - 1));
  }
  said += '.';
}

/// Feeds a watchdog every second, so that it never fires.
task<> feeds(async::auto_event& food, uint32_t& fed, tick begin) {
  for (uint32_t i = 1; i <= hours * 3600; ++i) {
    co_await async::sleep_until(begin + tick{i} * seconds(1));
    food.set();
    ++fed;
  }
}
task<> watchdog(async::auto_event& food, uint32_t& bites) {
  for (;;) {
    const status s = co_await async::within(milliseconds(1500), food.wait());
    if (s == status::cancelled) co_return;
    bites += s == status::timed_out;
  }
}

}  // namespace

TEST_CASE("a program of a day runs in virtual time, exactly, without one real sleep") {
  uint32_t read = 0, got = 0, missed = 0, fed = 0, bites = 0;
  bool in_time = true;
  std::string said;
  channel<int, 4> values;
  async::auto_event food;
  auto l = std::make_unique<async::loop>();
  const tick begin = port::now();
  real_sleeps = 0;
  l->spawn(sensor(values, begin, read));
  l->spawn(reader(values, got, missed, begin, in_time));
  l->spawn(clock(said, begin));
  l->spawn(feeds(food, fed, begin));
  l->spawn(watchdog(food, bites));
  l->spawn([](async::loop& all) -> task<> {
    co_await async::sleep_for(seconds(hours * 3600 + 1));
    all.stop();
  }(*l));
  l->run();
  CHECK_EQ(port::now() - begin, seconds(hours * 3600 + 1));
  CHECK_EQ(read, hours * 35900);
  CHECK_EQ(got, read);
  CHECK_EQ(missed,
           hours * 67 - 1);  // 10.1 s between the last value of an hour and the first of the next, and 10 s at the end
  CHECK(in_time);
  CHECK_EQ(said, "abcdefghijklmnopqrstuvwx.");
  CHECK_EQ(fed, hours * 3600);
  CHECK_EQ(bites, 0u);
  CHECK_EQ(real_sleeps, 0);
  CHECK_EQ(l->timers(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}
