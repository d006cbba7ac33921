// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Arduino.h>
#include <baton/arduino/print_sink.hpp>
#include <baton/core.hpp>
#include <limits.h>

// Tests the port on an Arduino core of which only the API is known.

namespace {

arduino_stand_in::machine& board() {
  return arduino_stand_in::here();
}

void start_over(unsigned long now_us) {
  board() = arduino_stand_in::machine{};
  board().now_us = now_us;
}

struct sleeper : baton::coroutine<sleeper, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    due = baton::port::now() + baton::milliseconds(2);
    BATON_DELAY_UNTIL(due);
    late = baton::port::now() - due;
    baton::scheduler::stop();
    BATON_END();
  }

  baton::tick due = 0;
  baton::tick late = 0;
};

/// Takes 10 us per step.
struct spinner : baton::coroutine<spinner> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (steps = 0; steps < 10000; ++steps) {
      board().now_us += 10;
      BATON_YIELD();
    }
    BATON_END();
  }

  uint16_t steps = 0;
};

struct listener : baton::coroutine<listener, baton::waiting> {
  explicit listener(baton::isr_signal& signal) : signal_(signal) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(signal_.wait());
    baton::scheduler::stop();
    BATON_END();
  }

  baton::isr_signal& signal_;
};

baton::isr_signal* interrupted = nullptr;

baton::channel<uint8_t, 1>* letters = nullptr;

struct letter_taker : baton::coroutine<letter_taker, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(letters->receive(taken));
    baton::scheduler::stop();
    BATON_END();
  }

  uint8_t taken = 0;
};

}  // namespace

TEST_CASE("a timer is noticed while another only yields, within sixteen switches") {
  for (unsigned long begin : {0UL, ULONG_MAX - 1000}) {  // time wraps during the second run
    start_over(begin);
    sleeper a;
    spinner b;
    a.start();
    b.start();
    baton::scheduler::run();
    CHECK(a.is_done());
    CHECK(b.steps < 2000 / 10 + 20);
    CHECK(a.late <= 17 * 10);
  }
}

TEST_CASE("a sketch that is never idle yields to the core at each sixteenth switch") {
  start_over(0);
  spinner a;
  a.start();
  baton::scheduler::run_for(160);
  CHECK(board().yields >= 9);
  CHECK(board().yields <= 10);
  CHECK(board().clock_readings == 0);
}

TEST_CASE("a coroutine that yield() makes ready runs while another only yields") {
  start_over(0);
  baton::channel<uint8_t, 1> channel;
  letters = &channel;
  letter_taker a;
  spinner b;
  a.start();
  b.start();
  board().on_yield = [] {
    if (board().yields == 2) (void)(letters->try_send(7) == baton::status::ok);
  };
  baton::scheduler::run();
  CHECK(a.taken == 7);
  CHECK(b.steps < 3 * 16);
}

TEST_CASE("a coroutine that yield() makes ready ends the idling") {
  start_over(0);
  baton::channel<uint8_t, 1> channel;
  letters = &channel;
  letter_taker a;
  a.start();
  board().on_yield = [] {
    if (board().yields == 2) (void)(letters->try_send(7) == baton::status::ok);
  };
  baton::scheduler::run();
  CHECK(a.taken == 7);
  CHECK(board().yields == 2);
}

TEST_CASE("an idle scheduler yields until a timer is due, and no longer") {
  for (unsigned long begin : {7UL, ULONG_MAX - 1000}) {  // time wraps during the second run
    start_over(begin);
    board().on_yield = [] { board().now_us += 100; };
    sleeper a;
    a.start();
    baton::scheduler::run();
    CHECK(a.is_done());
    CHECK(a.late < 100);
    CHECK(board().yields == 20);
  }
}

TEST_CASE("an interrupt ends the idling, and without a timer nobody reads the clock") {
  start_over(1000000);
  baton::isr_signal signal;
  interrupted = &signal;
  board().on_yield = [] {
    if (board().yields == 5) interrupted->set();
  };
  listener a{signal};
  a.start();
  baton::scheduler::run();
  CHECK(a.is_done());
  CHECK(board().yields == 5);
  CHECK(board().clock_readings == 0);
}

TEST_CASE("a loop() that runs until idle serves timers too") {
  start_over(0);
  sleeper a;
  a.start();
  for (int rounds = 0; !a.is_done() && rounds < 100; ++rounds) {
    baton::scheduler::run_until_idle();
    board().now_us += 100;
  }
  CHECK(a.is_done());
  CHECK(a.late < 100);
}

TEST_CASE("critical sections nest") {
  start_over(0);
  {
    baton::port::critical outer;
    {
      baton::port::critical inner;
      CHECK(board().masked == 1);
    }
    CHECK(board().masked == 1);
  }
  CHECK(board().masked == 0);
}

TEST_CASE("a renderer prints to a Print") {
  Print serial;
  baton::print_sink out(serial);
  baton::profile p(BATON_TEXT("work"));
  const baton::profile* const all[] = {&p};
  baton::print_profile_table(out, all, 1, baton::bin_range(5, 6));
  CHECK(serial.text == "name         <64us    >>\r\nwork             0     0\r\n");
}
