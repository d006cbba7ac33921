// SPDX-License-Identifier: MIT
#include <baton/test/random.hpp>
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

using lossless = broadcast<uint16_t, 2, slow_reader::holds_sender>;
using lossy = broadcast<uint16_t, 2, slow_reader::loses_oldest>;

template <typename Broadcast>
struct listener : coroutine<listener<Broadcast>, deadline> {
  explicit listener(Broadcast& b) : from(b) { from.subscribe(got); }
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(20), from.receive(got));
      if (this->result() != status::ok) break;
      MARK("got", got.value());
      if (got.lost()) MARK("lost", got.lost());
      if (pause) BATON_DELAY_MS(pause);
    }
    MARK("ended", this->result());
    BATON_END();
  }
  Broadcast& from;
  typename Broadcast::reader got;
  uint8_t pause = 0;
};

template <typename Broadcast>
struct sender : coroutine<sender<Broadcast>, deadline> {
  sender(Broadcast& b, uint16_t first, uint16_t last) : to(b), value(first), end(last) {}
  point step(point at) {
    BATON_BEGIN();
    for (; value <= end; ++value) {
      BATON_WAIT_FOR(milliseconds(50), to.send(value));
      if (this->result() != status::ok) MARK("ended", this->result());
    }
    BATON_END();
  }
  Broadcast& to;
  uint16_t value, end;
};

}  // namespace

TEST_CASE("every reader receives each value, oldest waiter first") {
  lossless b;
  listener<lossless> x(b), y(b);
  sender<lossless> s(b, 1, 2);
  NAME(x);
  NAME(y);
  NAME(s);
  x.start();
  y.start();
  s.start();
  scheduler::run_until_idle();
  CHECK_TRACE("x ready", "y ready", "s ready", "x runs", "x waits ?", "y runs", "y waits ?", "s runs", "x ready",
              "y ready", "s done", "x runs", "got 1", "got 2", "x waits ?", "y runs", "got 1", "got 2", "y waits ?");
}

TEST_CASE("a slow reader holds the sender, and no reader loses a value") {
  lossless b;
  listener<lossless> quick(b), slow(b);
  slow.pause = 5;
  sender<lossless> s(b, 1, 5);
  NAME(quick);
  NAME(slow);
  NAME(s);
  quick.start();
  slow.start();
  s.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  CHECK_EQ(b.try_send(9), status::full);
  sim::advance(milliseconds(5));
  scheduler::run_until_idle();
  CHECK_TRACE("slow ready", "slow runs", "quick ready", "s ready", "got 2", "slow waits", "quick runs", "got 4",
              "quick waits ?", "s runs", "s waits ?");
  scheduler::run();
  CHECK_EQ(slow.got.value(), 5);
  CHECK_EQ(quick.got.value(), 5);
  CHECK_EQ(slow.got.lost(), 0);
}

TEST_CASE("a slow reader loses the oldest values, is told how many, and holds nobody") {
  lossy b;
  listener<lossy> quick(b), slow(b);
  slow.pause = 5;
  NAME(quick);
  NAME(slow);
  quick.start();
  slow.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  for (uint16_t n = 1; n <= 6; ++n) {
    CHECK_EQ(b.try_send(n), status::ok);
    scheduler::run_until_idle();
  }
  CHECK_TRACE("quick ready", "slow ready", "quick runs", "got 1", "quick waits ?", "slow runs", "got 1", "slow waits",
              "quick ready", "quick runs", "got 2", "quick waits ?", "quick ready", "quick runs", "got 3",
              "quick waits ?", "quick ready", "quick runs", "got 4", "quick waits ?", "quick ready", "quick runs",
              "got 5", "quick waits ?", "quick ready", "quick runs", "got 6", "quick waits ?");
  sim::advance(milliseconds(5));
  scheduler::run_until_idle();
  CHECK_TRACE("slow ready", "slow runs", "got 5", "lost 3", "slow waits");
  sim::advance(milliseconds(5));
  scheduler::run_until_idle();
  CHECK_TRACE("slow ready", "slow runs", "got 6", "slow waits");
}

TEST_CASE("a value is sent once to readers that subscribe before it, and never to a later one") {
  lossless b;
  lossless::reader early, late;
  CHECK_EQ(b.try_send(1), status::ok);  // nobody is there
  b.subscribe(early);
  CHECK_EQ(b.try_receive(early), status::empty);
  CHECK_EQ(b.try_send(2), status::ok);
  b.subscribe(late);
  CHECK_EQ(b.try_send(3), status::ok);
  CHECK_EQ(b.try_receive(early), status::ok);
  CHECK_EQ(early.value(), 2);
  CHECK_EQ(b.try_receive(late), status::ok);
  CHECK_EQ(late.value(), 3);
  CHECK_EQ(b.try_receive(late), status::empty);
}

TEST_CASE("a reader that leaves, is destroyed or subscribes again lets the sender go on") {
  lossless b;
  sender<lossless> s(b, 1, 9);
  lossless::reader stays;
  {
    lossless::reader leaves, dies;
    b.subscribe(dies);
    b.subscribe(stays);
    b.subscribe(leaves);
    s.start();
    scheduler::run_until_idle();
    CHECK_EQ(s.value, 3);
    CHECK_EQ(b.try_receive(dies), status::ok);
    CHECK_EQ(b.try_receive(stays), status::ok);
    b.unsubscribe(leaves);
    scheduler::run_until_idle();
    CHECK_EQ(s.value, 4);
    CHECK_EQ(b.try_receive(stays), status::ok);
    CHECK_EQ(b.try_receive(stays), status::ok);
    scheduler::run_until_idle();
    CHECK_EQ(s.value, 4);
  }
  scheduler::run_until_idle();
  CHECK_EQ(s.value, 6);
  CHECK_EQ(b.try_receive(stays), status::ok);
  CHECK_EQ(stays.value(), 4);
  b.subscribe(stays);
  scheduler::run_until_idle();
  CHECK_EQ(b.try_receive(stays), status::ok);
  CHECK_EQ(stays.value(), 7);
}

TEST_CASE("waits that time out or are cancelled have not happened") {
  lossless b;
  listener<lossless> x(b);
  x.start();
  scheduler::run();
  CHECK_EQ(x.result(), status::timed_out);
  sender<lossless> s(b, 1, 3);
  s.start();
  scheduler::run_until_idle();
  CHECK(s.cancel());
  scheduler::run_until_idle();
  CHECK(s.is_done());
  CHECK_EQ(b.try_receive(x.got), status::ok);
  CHECK_EQ(b.try_receive(x.got), status::ok);
  CHECK_EQ(x.got.value(), 2);
  CHECK_EQ(b.try_receive(x.got), status::empty);
}

TEST_CASE("a receiver that is destroyed between the hand-over and its run takes its copy alone") {
  lossless b;
  listener<lossless> y(b);
  y.start();
  const uint16_t before = dropped_values();
  {
    listener<lossless> x(b);
    x.start();
    scheduler::run_until_idle();
    CHECK_EQ(b.try_send(7), status::ok);
  }
  CHECK_EQ(dropped_values(), before + 1);
  scheduler::run_until_idle();
  CHECK_EQ(y.got.value(), 7);
}

TEST_CASE("the destruction of the broadcast ends the waits with closed") {
  union mortal {
    mortal() : b() {}
    ~mortal() {}
    lossless b;
  } gone;
  listener<lossless> x(gone.b), y(gone.b);
  y.pause = 5;
  sender<lossless> s(gone.b, 1, 4);
  x.start();
  y.start();
  s.start();
  scheduler::run_until_idle();
  CHECK(!s.is_done());
  gone.b.~lossless();
  CHECK_EQ(x.result(), status::closed);
  CHECK_EQ(s.result(), status::closed);
}

TEST_CASE("a receive and a send may be cases of a select") {
  struct relay : coroutine<relay, selecting<2>> {
    relay(lossy& from, lossless& into) : in(from), out(into) { in.subscribe(got); }
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(out.send(value), in.receive(got));
        MARK("chose", selected());
        if (selected() == 0) BATON_SUSPEND();
      }
      BATON_END();
    }
    lossy& in;
    lossless& out;
    lossy::reader got;
    uint16_t value = 42;
  };
  lossy in;
  lossless out;
  lossless::reader last;
  out.subscribe(last);
  CHECK_EQ(out.try_send(1), status::ok);
  CHECK_EQ(out.try_send(2), status::ok);
  relay r(in, out);
  NAME(r);
  r.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  CHECK_EQ(in.try_send(5), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(r.got.value(), 5);
  CHECK_EQ(out.try_receive(last), status::ok);
  CHECK_EQ(in.try_send(6), status::ok);  // the case has left this list
  scheduler::run_until_idle();
  CHECK_TRACE("r's case ready", "r's case runs", "r ready", "r runs", "chose 1", "r's case waits ?", "r's case waits ?",
              "r selects", "r's case ready", "r's case runs", "r ready", "r runs", "chose 0", "r waits");
  CHECK_EQ(r.got.value(), 5);
  CHECK_EQ(out.try_receive(last), status::ok);
  CHECK_EQ(out.try_receive(last), status::ok);
  CHECK_EQ(last.value(), 42);
}

TEST_CASE("a reader that has not subscribed is trapped where it would hold the sender") {
  lossless b;
  lossless::reader r;
  status how = status::empty;
  CHECK_TRAPS(receive_before_subscribe, how = b.try_receive(r));
  CHECK_EQ(how, status::empty);
}

namespace {

template <typename Broadcast>
struct storm {
  struct reading : coroutine<reading, deadline> {
    explicit reading(storm& s) : of(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT_FOR(ticks(of.chance.below(15)), of.air.receive(got));
        if (this->result() == status::ok) {
          last = static_cast<uint16_t>(last + 1 + got.lost());
          lost += got.lost();
          if (got.value() != last) ++wrong;
          ++received;
        }
        if (of.chance.one_in(3)) BATON_DELAY_UNTIL(port::now() + of.chance.below(9));
      }
      BATON_END();
    }
    storm& of;
    typename Broadcast::reader got;
    uint16_t last = 0;
    uint16_t wrong = 0;
    uint32_t received = 0, lost = 0;
  };
  struct sending : coroutine<sending, deadline> {
    explicit sending(storm& s) : of(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        value = static_cast<uint16_t>(of.sent + 1);
        BATON_WAIT_FOR(ticks(of.chance.below(15)), of.air.send(value));
        if (this->result() == status::ok) of.sent = value;
        if (of.chance.one_in(2)) BATON_DELAY_UNTIL(port::now() + of.chance.below(9));
      }
      BATON_END();
    }
    storm& of;
    uint16_t value = 0;
  };

  explicit storm(uint32_t seed) : chance(seed), first(*this), second(*this), third(*this), s(*this) {}

  void run() {
    for (reading* r : readers) {
      air.subscribe(r->got);
      r->start();
    }
    s.start();
    for (uint32_t n = 0; n < (test::is_small_target ? 4000u : 200000u); ++n) {
      for (uint16_t steps = chance.below(5); steps; --steps) scheduler::run_one();
      if (chance.one_in(3)) sim::advance(chance.below(8));
      if (chance.one_in(9)) cancelled += readers[chance.below(3)]->cancel();
      if (chance.one_in(20)) cancelled += s.cancel();
    }
  }

  test::random chance;
  Broadcast air;
  reading first, second, third;
  reading* readers[3] = {&first, &second, &third};
  sending s;
  uint16_t sent = 0;
  uint16_t cancelled = 0;
};

}  // namespace

TEST_CASE("a storm at a broadcast that holds its sender: each reader receives each value, in order") {
  static storm<lossless> all(3);
  all.run();
  for (auto* r : all.readers) {
    CHECK_EQ(r->wrong, 0);
    CHECK_EQ(r->lost, 0);
    CHECK(r->received > (test::is_small_target ? 300u : 10000u));
  }
  CHECK(all.cancelled > 100);
}

TEST_CASE("a storm at a broadcast that loses values: what is received and what is said to be lost is all") {
  static storm<lossy> all(4);
  all.run();
  for (auto* r : all.readers) {
    CHECK_EQ(r->wrong, 0);
    CHECK(r->lost > 100);
    CHECK(r->received > (test::is_small_target ? 300u : 10000u));
  }
  CHECK(all.cancelled > 100);
}
