// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct sample {
  uint8_t sensor = 0;
  uint16_t value = 0;
};

using line_type = isr_channel<sample, 4>;

/// The line of the handlers, and the values that they send.
line_type* line;
uint16_t next_value;

void send_one() {
  static_cast<void>(line->send({1, ++next_value}));
}
void send_three() {
  for (uint8_t i = 0; i < 3; ++i) send_one();
}
void send_six() {
  for (uint8_t i = 0; i < 6; ++i) send_one();
}

struct listener : coroutine<listener, deadline> {
  explicit listener(line_type& l) : from(l) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from.receive(got));
      MARK("got", got.value);
      if (works_for != ticks(0)) sim::advance(works_for);
    }
    BATON_END();
  }
  line_type& from;
  sample got;
  duration works_for;
};

struct fixture {
  fixture() {
    line = &here;
    next_value = 0;
  }
  line_type here;
};

}  // namespace

TEST_CASE("a value that an interrupt sends is handed to the job that waits, and an idle scheduler jumps to it") {
  fixture f;
  listener a(f.here);
  NAME(f.here);
  NAME(a);
  sim::interrupt i;
  i.handler = &send_one;
  sim::at(milliseconds(3), i);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits f.here", "a ready", "a runs", "got 1", "a waits f.here");
  CHECK(port::now() == milliseconds(3));
}

TEST_CASE("values of one interrupt are received in order, the stored ones without a wait") {
  fixture f;
  listener a(f.here);
  NAME(f.here);
  NAME(a);
  sim::interrupt i;
  i.handler = &send_three;
  sim::at(milliseconds(3), i);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits f.here", "a ready", "a runs", "got 1", "got 2", "got 3", "a waits f.here");
}

TEST_CASE("values that come while the job works wait for it; those that find no room are counted") {
  fixture f;
  listener a(f.here);
  a.works_for = milliseconds(10);
  NAME(f.here);
  NAME(a);
  sim::interrupt first, burst;
  first.handler = &send_one;
  burst.handler = &send_six;
  sim::at(milliseconds(1), first);
  sim::at(milliseconds(5), burst);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits f.here", "a ready", "a runs", "got 1", "got 2", "got 3", "got 4", "got 5",
              "a waits f.here");
  CHECK_EQ(f.here.overflows(), 2);
  CHECK_EQ(f.here.depth(), 0);
}

TEST_CASE("a value that is sent before anybody waits stays, and try_receive takes it") {
  fixture f;
  sample got;
  CHECK_EQ(f.here.try_receive(got), status::empty);
  CHECK_EQ(f.here.send({2, 7}), status::ok);
  CHECK_EQ(f.here.depth(), 1);
  CHECK_EQ(f.here.try_receive(got), status::ok);
  CHECK_EQ(got.sensor, 2);
  CHECK_EQ(got.value, 7);
  CHECK_EQ(f.here.try_receive(got), status::empty);
}

TEST_CASE("two jobs are served in the order of their coming, and nobody overtakes them") {
  fixture f;
  listener a(f.here), b(f.here);
  NAME(f.here);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  send_three();
  sample got;
  CHECK_EQ(f.here.try_receive(got), status::empty);
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "got 1", "got 3", "a waits f.here", "b runs", "got 2", "b waits f.here");
}

TEST_CASE("a wait that times out or is cancelled has received nothing, and the value stays") {
  struct patient : coroutine<patient, deadline> {
    explicit patient(line_type& l) : from(l) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT_FOR(milliseconds(10), from.receive(got));
      MARK("ended", result());
      BATON_END();
    }
    line_type& from;
    sample got;
  };
  fixture f;
  patient a(f.here), b(f.here), c(f.here);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK(b.cancel());
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  CHECK_EQ(b.result(), status::cancelled);
  send_one();
  scheduler::run();
  CHECK_EQ(f.here.depth(), 1);
  c.start();
  scheduler::run();
  CHECK_EQ(c.result(), status::ok);
  CHECK_EQ(c.got.value, 1);
}

TEST_CASE("a receiver that is restarted between the hand-over and its run loses the value, which is counted") {
  fixture f;
  listener a(f.here);
  a.start();
  scheduler::run_until_idle();
  send_one();
  struct other : coroutine<other> {
    point step(point at) {
      BATON_BEGIN();
      BATON_END();
    }
  };
  other o;
  o.start();
  CHECK(scheduler::run_one());  // hands the value over before `o` runs
  const uint16_t before = dropped_values();
  a.restart();
  CHECK_EQ(dropped_values(), before + 1);
  CHECK_EQ(f.here.depth(), 0);
}

TEST_CASE("a receive may be the case of a select, and the value of a case that is not taken stays") {
  struct chooser : coroutine<chooser, selecting<2>> {
    chooser(line_type& l, channel<uint8_t>& c) : from(l), other(c) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(from.receive(got), other.receive(byte));
        MARK("chose", selected());
      }
      BATON_END();
    }
    line_type& from;
    channel<uint8_t>& other;
    sample got;
    uint8_t byte = 0;
  };
  fixture f;
  channel<uint8_t> other;
  chooser a(f.here, other);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  send_three();
  CHECK_EQ(other.try_send(9), status::ok);
  scheduler::run_until_idle();
  CHECK_TRACE("a's case ready", "a's case runs", "a ready", "a runs", "chose 1", "chose 0", "chose 0", "chose 0",
              "a's case waits ?", "a's case waits ?", "a selects");
  CHECK_EQ(a.got.value, 3);
}

TEST_CASE("the destruction of the channel ends a wait with closed, and later deliveries pass it by") {
  struct patient : coroutine<patient, waiting> {
    explicit patient(line_type& l) : from(l) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(from.receive(got));
      BATON_END();
    }
    line_type& from;
    sample got;
  };
  fixture f;
  listener a(f.here);
  union mortal {
    mortal() : line() {}
    ~mortal() {}
    line_type line;
  } gone;
  patient p(gone.line);
  p.start();
  a.start();
  scheduler::run_until_idle();
  gone.line.~line_type();
  scheduler::run_until_idle();
  CHECK(p.is_done());
  CHECK_EQ(p.result(), status::closed);
  send_one();
  scheduler::run_until_idle();
  CHECK_EQ(a.got.value, 1);
}

TEST_CASE("a thousand interrupts at every distance: each value arrives once, in order") {
  struct counting : coroutine<counting, waiting> {
    explicit counting(line_type& l) : from(l) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(from.receive(got));
        if (got.value != static_cast<uint16_t>(heard + 1)) ++out_of_order;
        ++heard;
      }
      BATON_END();
    }
    line_type& from;
    sample got;
    uint16_t heard = 0, out_of_order = 0;
  };
  fixture f;
  counting a(f.here);
  a.start();
  sim::interrupt i;
  i.handler = &send_one;
  for (uint16_t n = 0; n < 1000; ++n) {
    sim::at(port::now() + n % 50, i);
    scheduler::run();
  }
  CHECK_EQ(a.heard, 1000);
  CHECK_EQ(a.out_of_order, 0);
  CHECK_EQ(f.here.overflows(), 0);
}
