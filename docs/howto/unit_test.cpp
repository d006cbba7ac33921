// SPDX-License-Identifier: MIT
#include <baton/core.hpp>
#include <baton/devices/fakes.hpp>
#include <baton/sim/clock.hpp>
#include <stdio.h>

using namespace baton::literals;

// The code under test, a template over its devices: it heats below 20 degrees, and until 22. In a
// project of its own it is a header that the firmware includes, too.
template <typename Adc, typename Heater>
struct thermostat : baton::coroutine<thermostat<Adc, Heater>, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    Heater::configure(baton::devices::pin_mode::output);
    Adc::listen(&converted_);
    for (;;) {
      if (Adc::start() == baton::status::ok) BATON_WAIT(converted_.wait());
      degrees_ = static_cast<uint16_t>(Adc::read() / 10);
      if (degrees_ < 20) Heater::write(true);
      if (degrees_ >= 22) Heater::write(false);
      BATON_DELAY_S(1);
    }
    BATON_END();
  }

  baton::isr_signal converted_;
  uint16_t degrees_ = 0;
};

// The tests, with any framework; here with none.
int failures = 0;

void check(bool holds, const char* what) {
  printf("%s: %s\n", holds ? "passed" : "FAILED", what);
  if (!holds) ++failures;
}

using adc = baton::devices::fake_adc<0>;
using heater = baton::devices::fake_pin<1>;

// Lets the program run until the virtual clock shows `length` more. No real time passes.
void run_for(baton::duration length) {
  struct stopper : baton::coroutine<stopper, baton::timed> {
    explicit stopper(baton::duration d) : length_(d) {}
    baton::point step(baton::point at) {
      BATON_BEGIN();
      BATON_DELAY(length_);
      baton::scheduler::stop();
      BATON_END();
    }
    baton::duration length_;
  } clock(length);
  clock.start();
  baton::scheduler::run();
}

// A fresh world per test.
struct room {
  explicit room(uint16_t degrees) {
    adc::reset();
    heater::reset();
    set(degrees);
    controller.start();
    run_for(500_ms);
  }
  void set(uint16_t degrees) { adc::supply(static_cast<uint16_t>(degrees * 10)); }
  bool is_heated() const { return heater::read(); }

  thermostat<adc, heater> controller;
};

int main() {
  {
    room cold(19);
    check(cold.is_heated(), "a cold room is heated");
  }
  {
    room warm(21);
    check(!warm.is_heated(), "a warm room is not heated");
  }
  {
    room r(19);
    r.set(21);
    run_for(10_s);
    check(r.is_heated(), "heating goes on until 22 degrees");
    r.set(22);
    run_for(1_s);
    check(!r.is_heated(), "and ends there");
  }
  {
    room r(21);
    run_for(60_s);
    check(adc::started() == 61, "it measures once per second");
  }
  return failures;
}
