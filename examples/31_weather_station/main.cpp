// SPDX-License-Identifier: MIT
//
// A weather station of coroutines that share more than channels. A mutex guards the bus of two
// sensors for the time of a measurement, a watch has the latest temperature, a broadcast brings
// each alarm to everybody, and a pipe carries text.
#include <baton/board.hpp>
#include <baton/core.hpp>

#include "../support/say.hpp"

baton::mutex bus;
baton::watch<int16_t> temperature;  // in tenths of a degree
baton::broadcast<int16_t, 2, baton::slow_reader::loses_oldest> alarms;
baton::pipe<16> text;

struct sensor : baton::coroutine<sensor, baton::timed_waiting> {
  sensor(const char* name, int16_t first) : name_(name), value_(first) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (; turn_ < 5; ++turn_) {
      BATON_WAIT(bus.lock(lock_));
      BATON_WHILE_LOCKED(lock_) {
        say(name_, " measures");
        BATON_DELAY_MS(20);  // the other sensor waits for the bus meanwhile
      }
      value_ = static_cast<int16_t>(value_ + 30);
      if (value_ > 0) temperature.set(value_);
    }
    BATON_END();
  }

  const char* name_;
  int16_t value_;
  uint8_t turn_ = 0;
  baton::mutex_lock lock_;  // a member: a local lock would not live across the delay
};

struct display : baton::coroutine<display, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(temperature.changed(seen_));
      shown_ = temperature.read(seen_);
      say("display: ", baton::decimal(shown_).fixed(1), " C");
      if (shown_ > 250) BATON_WAIT(alarms.send(shown_));  // never waits: a slow reader loses the oldest
    }
    BATON_END();
  }

  baton::watch_reader seen_;
  int16_t shown_ = 0;
};

struct siren : baton::coroutine<siren, baton::timed_waiting> {
  siren(const char* name, uint8_t pause_ms) : name_(name), pause_ms_(pause_ms) { alarms.subscribe(alarm_); }

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(alarms.receive(alarm_));
      say(name_, ": ", baton::decimal(alarm_.value()).fixed(1), " C, ", alarm_.lost(), " lost");
      BATON_DELAY_MS(pause_ms_);
    }
    BATON_END();
  }

  const char* name_;
  uint8_t pause_ms_;
  decltype(alarms)::reader alarm_;
};

struct reporter : baton::coroutine<reporter, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_DELAY_MS(300);
    BATON_WAIT(text.write(report_));  // more than the pipe holds: it waits for the printer
    text.close();
    BATON_END();
  }

  baton::pipe_write report_{"the sensors have measured five times", 36};
};

struct printer : baton::coroutine<printer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(text.read(part_));
      if (result() == baton::status::closed) break;
      bytes_[part_.count] = 0;
      say("printer: ", static_cast<const char*>(bytes_));
    }
    baton::scheduler::stop();
    BATON_END();
  }

  char bytes_[13] = {};
  baton::pipe_read part_{bytes_, 12};
};

sensor inside("inside", 200), outside("outside", -200);
display screen;
siren loud("loud siren", 5), slow("slow siren", 150);
reporter author;
printer paper;

int main() {
  baton::board::start();
  inside.start();
  outside.start();
  screen.start();
  loud.start();
  slow.start();
  author.start();
  paper.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
