// SPDX-License-Identifier: MIT
#include <baton/devices/button.hpp>
#include <baton/devices/fakes.hpp>
#include <baton/sim/script.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>

using namespace baton;
using devices::button_event;

namespace {

using pin = devices::fake_pin<0>;
using a_button = devices::button<pin>;

/// Counts the events of each kind, with the millisecond of the last one.
struct listener : coroutine<listener, waiting> {
  explicit listener(channel<button_event, 4>& events) : events_(events) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(events_.receive(event_));
      ++count[static_cast<uint8_t>(event_)];
      at_ms[static_cast<uint8_t>(event_)] = port::now() / milliseconds(1);
    }
    BATON_END();
  }
  uint16_t total() const { return static_cast<uint16_t>(count[0] + count[1] + count[2]); }

  uint16_t count[3] = {};
  tick at_ms[3] = {};

 private:
  channel<button_event, 4>& events_;
  button_event event_ = button_event::pressed;
};

struct rig {
  rig() : the_button(events), heard(events) {
    pin::reset();
    the_button.start();
    heard.start();
  }
  bool heard_exactly(uint16_t pressed, uint16_t held, uint16_t released) const {
    return heard.count[0] == pressed && heard.count[1] == held && heard.count[2] == released;
  }

  channel<button_event, 4> events;
  a_button the_button;
  listener heard;
};

/// Toggles the pin `edges` times, `gap` apart, and leaves it at `level`; the scheduler runs
/// meanwhile.
struct storm : coroutine<storm, timed> {
  point step(point at) {
    BATON_BEGIN();
    for (; edges; --edges) {
      pin::drive((edges % 2 == 0) == level);
      BATON_DELAY_US(gap_us);
    }
    pin::drive(level);
    BATON_END();
  }
  void run(uint32_t how_many, uint16_t gap, bool to) {
    edges = how_many;
    gap_us = gap;
    level = to;
    restart();
    scheduler::run();
  }
  uint32_t edges = 0;
  uint16_t gap_us = 0;
  bool level = false;
};

}  // namespace

TEST_CASE("a press with bounces is one event, when the contact has been quiet") {
  rig r;
  sim::script<bool, pin::drive> edges;
  const sim::moment<bool> moments[] = {{milliseconds(20), false}, {milliseconds(1), true},  {milliseconds(2), false},
                                       {milliseconds(1), true},   {milliseconds(1), false}, {milliseconds(100), true},
                                       {milliseconds(1), false},  {milliseconds(1), true}};
  edges.play(moments);
  scheduler::run();
  CHECK(r.heard_exactly(1, 0, 1));
  // Windows of quiet begin at the first edge, and at the end of a window with edges.
  CHECK_EQ(r.heard.at_ms[0], 40);
  CHECK_EQ(r.heard.at_ms[2], 145);
  CHECK(!r.the_button.is_down());
}

TEST_CASE("a pulse that does not last is no event") {
  rig r;
  sim::script<bool, pin::drive> edges;
  const sim::moment<bool> moments[] = {{milliseconds(20), false}, {milliseconds(3), true}};
  edges.play(moments);
  scheduler::run();
  CHECK_EQ(r.heard.total(), 0);
}

TEST_CASE("a long press is held once, counted from the press, whatever noise comes between") {
  rig r;
  sim::script<bool, pin::drive> edges;
  const sim::moment<bool> moments[] = {{milliseconds(100), false}, {milliseconds(300), true},
                                       {milliseconds(1), false},   {milliseconds(200), true},
                                       {milliseconds(1), false},   {milliseconds(1498), true}};
  edges.play(moments);
  scheduler::run();
  CHECK(r.heard_exactly(1, 1, 1));
  CHECK_EQ(r.heard.at_ms[0], 110);
  CHECK_EQ(r.heard.at_ms[1], 910);
  CHECK_EQ(r.heard.at_ms[2], 2110);
}

TEST_CASE("a button that is down at the start is pressed") {
  pin::reset();
  pin::drive(false);
  channel<button_event, 4> events;
  a_button b(events);
  listener heard(events);
  b.start();
  heard.start();
  scheduler::run();
  CHECK_EQ(heard.count[0], 1);
  CHECK_EQ(heard.at_ms[0], 10);
}

TEST_CASE("events that nobody takes are dropped and counted") {
  channel<button_event, 4> events;
  a_button b(events);
  pin::reset();
  b.start();
  scheduler::run();
  for (uint16_t i = 0; i < 300; ++i) {
    pin::drive(i % 2 != 0);
    scheduler::run();
  }
  CHECK_EQ(b.dropped(), 255);
}

TEST_CASE("a bounce storm is one press, after its end") {
  rig r;
  storm s;
  const uint32_t edges = test::is_small_target ? 2001 : 1000001;
  s.run(edges, 20, false);
  CHECK(r.heard_exactly(1, 1, 0));
  const tick storm_ms = edges / 50;
  CHECK(r.heard.at_ms[0] >= storm_ms + 10);
  CHECK(r.heard.at_ms[0] <= storm_ms + 21);
}

TEST_CASE("random bounces between random presses lose and invent none") {
  rig r;
  storm s;
  scheduler::run();
  test::random random(3);
  const uint16_t presses = test::is_small_target ? 30 : 2000;
  for (uint16_t i = 0; i < presses; ++i) {
    s.run(1 + random.below(60), static_cast<uint16_t>(4 + random.below(5000)), false);  // runs until it is held
    s.run(1 + random.below(60), static_cast<uint16_t>(4 + random.below(5000)), true);
    CHECK_WITH(r.heard_exactly(i + 1, i + 1, i + 1), i);
  }
  CHECK_EQ(r.the_button.dropped(), 0);
}
