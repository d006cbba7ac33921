// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <baton/kernel/servers/clock_server.hpp>
#include <random>

using namespace baton;
using kernel::error;
using test::ms;

namespace {

/// A clock that wraps every 65536 ticks, so that a test sees it wrap many times.
struct short_time {
  using count = uint16_t;
  static count now() { return static_cast<count>(kernel::now()); }
  static constexpr count longest = 0x7fff;
};
constexpr uint16_t short_time::longest;

template <uint8_t Sleepers, typename Time = kernel::kernel_time>
struct timed_program : test::program {
  timed_program() { CHECK(system.create(server.describe(7, stack))); }

  kernel::clock_server<Sleepers, Time> server{system};
  kernel::stack<65536> stack;
  kernel::clock clock{kernel::first_task};
};

}  // namespace

TEST_CASE("a delay ends when its time has come, and equal times end in the order of asking") {
  timed_program<8> p;
  auto sleeper = [&](uint32_t until, const char* name) {
    p.task(name, 2, [&p, until] {
      CHECK(p.clock.delay(ms(until)));
      p.mark("woke");
    });
  };
  sleeper(30, "a");
  sleeper(10, "b");
  sleeper(30, "c");
  sleeper(20, "d");
  p.task("e", 2, [&] {
    CHECK(p.clock.delay_until(ms(30)));
    CHECK(p.clock.delay_until(ms(30)));  // past: at once
    CHECK(p.clock.delay(0_ms));
    p.mark("woke");
  });
  p.run();
  CHECK_LOG(p, "at 10 ms", "b woke", "b ends", "at 20 ms", "d woke", "d ends", "at 30 ms", "a woke", "a ends", "c woke",
            "c ends", "e woke", "e ends");
}

TEST_CASE("the clock shows the time, and how much of it nobody was ready") {
  timed_program<2> p;
  p.task("worker", 1, [&] {
    kernel::clock_reading from, to;
    CHECK(p.clock.read(from));
    sim::advance(ms(25));
    CHECK(p.clock.delay(ms(75)));
    CHECK(p.clock.read(to));
    CHECK_EQ(to.time - from.time, ms(100));
    CHECK_EQ(to.idle - from.idle, ms(75));
    CHECK_EQ(kernel::idle_permille(from, to), 750);
    CHECK_EQ(kernel::idle_permille(from, from), 0);
    from = to;
    sim::advance(ms(10));
    uint64_t now = 0;
    CHECK(p.clock.time(now));
    CHECK_EQ(now, ms(110));
    CHECK(p.clock.read(to));
    CHECK_EQ(kernel::idle_permille(from, to), 0);
    from = to;
    kernel::sleep(ms(10));
    CHECK(p.clock.read(to));
    CHECK_EQ(kernel::idle_permille(from, to), 1000);
  });
  p.run();
}

TEST_CASE("a clock without sleepers is tickless") {
  timed_program<2> p;
  p.task("sleeper", 1, [&] { CHECK(p.clock.delay(ms(100000))); });
  p.run();
  CHECK_EQ(port::now(), ms(100000));
  CHECK_EQ(sim::clock::get().jumps, 1);
}

TEST_CASE("delays of many laps of the program's clock end at their tick") {
  timed_program<4, short_time> p;
  uint64_t ended = 0, ended_again = 0;
  p.task("lapper", 1, [&] {
    CHECK(p.clock.delay_ticks(uint64_t{65536} * 100 + 5));
    ended = port::now();
    uint64_t now = 0;
    CHECK(p.clock.time(now));
    CHECK_EQ(now, ended);
    CHECK(p.clock.delay_until(uint64_t{65536} * 200));  // at the end no other task reads the clock
    ended_again = port::now();
  });
  p.task("guard", 1, [&] {
    kernel::sleep(ticks(uint64_t{65536} * 300));
    p.system.stop();
  });
  p.task("short", 1, [&] {
    for (uint32_t i = 1; i <= 1000; ++i) {
      CHECK(p.clock.delay_ticks(10000));
      CHECK_EQ(port::now(), uint64_t{10000} * i);
    }
  });
  p.run();
  CHECK_EQ(ended, uint64_t{65536} * 100 + 5);
  CHECK_EQ(ended_again, uint64_t{65536} * 200);
}

TEST_CASE("a full clock is an error, and who has ended or given up makes room") {
  timed_program<2> p;
  const kernel::tid victim = p.task("victim", 3, [&] { p.clock.delay(ms(1000)); });
  p.task("hasty", 3, [&] {
    CHECK_EQ(p.clock.delay(ms(900), ms(1)).why(), error::timed_out);
    CHECK_EQ(port::now(), ms(1));
    kernel::sleep(ms(99));
  });
  p.task("main", 2, [&] {
    CHECK_EQ(p.clock.delay(ms(1)).why(), error::table_full);
    CHECK(p.clock.delay(0_ms));  // this delay needs no slot
    uint64_t now;
    CHECK(p.clock.time(now));
    kernel::sleep(ms(2));  // the client `hasty` has given up
    CHECK(p.clock.delay(ms(1)));
    CHECK_EQ(port::now(), ms(3));
    kernel::kill(victim);
    p.task("other", 3, [&] { CHECK(p.clock.delay(ms(2))); });
    CHECK(p.clock.delay(ms(1)));
    CHECK_EQ(port::now(), ms(4));
  });
  p.run();
}

TEST_CASE("a delay that was given up does not end the next one of the same client") {
  timed_program<4> p;
  p.task("hasty", 1, [&] {
    CHECK_EQ(p.clock.delay(ms(20), ms(5)).why(), error::timed_out);
    CHECK(p.clock.delay(ms(50)));
    CHECK_EQ(port::now(), ms(55));
  });
  p.run();
}

TEST_CASE("bad requests are refused, and the clock goes on") {
  timed_program<2> p;
  p.task("main", 1, [&] {
    kernel::clock_reply a = {error::none, {0, 0}};
    CHECK(kernel::send(kernel::first_task, "x", 1, &a, sizeof a));
    CHECK_EQ(a.why, error::bad_call);
    a.why = error::none;
    CHECK(kernel::call(kernel::first_task, kernel::clock_request{static_cast<kernel::clock_call>(9), 1}, a));
    CHECK_EQ(a.why, error::bad_call);
    CHECK_EQ(p.clock.delay(ticks(1), 0_ms).why(), error::would_wait);
    CHECK(p.clock.delay_ticks(UINT64_MAX, ms(7)).why() == error::timed_out);  // the end of time, not the past
    CHECK_EQ(port::now(), ms(7));
    CHECK_EQ(kernel::clock(kernel::no_task).delay(ticks(5)).why(), error::bad_task);
  });
  p.run();
}

TEST_CASE("many random sleepers wake at their ticks, or when their timeouts come") {
  timed_program<8> p;
  std::mt19937 random(4711);
  uint32_t woke = 0, gave_up = 0, full = 0;
  for (int i = 0; i < 12; ++i) {
    p.task("sleeper", static_cast<kernel::priority>(1 + i % 5), [&] {
      for (int round = 0; round < 500; ++round) {
        const tick wanted = random() % 5000, patience = 1 + random() % 5000, before = port::now();
        const error e = p.clock.delay(ticks(wanted), ticks(patience)).why();
        const tick took = port::now() - before;
        if (e == error::none) {
          ++woke;
          if (took != wanted) CHECK_EQ(took, wanted);
        } else if (e == error::timed_out) {
          ++gave_up;
          if (took != patience || patience > wanted) CHECK_EQ(took, patience);
        } else {
          CHECK_EQ(e, error::table_full);
          ++full;
          kernel::sleep(ticks(1 + random() % 500));
        }
      }
    });
  }
  p.run();
  CHECK_EQ(woke + gave_up + full, 6000);
  CHECK(woke > 1000);
  CHECK(gave_up > 1000);
  CHECK(full > 100);
}
