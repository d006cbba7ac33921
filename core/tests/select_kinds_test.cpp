// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

using pipe_type = channel<uint8_t>;

}  // namespace

TEST_CASE("two cases on one primitive: one happens, and the other leaves the list") {
  struct twice : coroutine<twice, selecting<2>> {
    explicit twice(pipe_type& from) : source(from) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(source.receive(x), source.receive(y));
        MARK("chose", selected());
      }
      BATON_END();
    }
    pipe_type& source;
    uint8_t x = 0;
    uint8_t y = 0;
  };
  pipe_type p;
  twice t(p);
  t.start();
  scheduler::run_until_idle();
  CHECK_EQ(p.try_send(1), status::ok);
  CHECK_EQ(p.try_send(2), status::full);
  scheduler::run_until_idle();
  CHECK_EQ(p.try_send(3), status::ok);
  CHECK_EQ(p.try_send(4), status::full);
  CHECK_EQ(t.x, 3);
  CHECK_EQ(t.y, 0);
}

TEST_CASE("a send, a unit, flags, an end and a request may all be cases") {
  struct nothing : coroutine<nothing, returning<uint8_t>> {
    point step(point at) {
      BATON_BEGIN();
      BATON_SUSPEND();
      BATON_RETURN(1);
      BATON_END();
    }
  };
  struct many : coroutine<many, selecting<6>> {
    point step(point at) {
      BATON_BEGIN();
      BATON_SELECT(out.send(value), slots.acquire(), flags.wait(what), other.join(), desk.receive(asked), tick.wait());
      BATON_END();
    }
    pipe_type out;
    semaphore slots;
    event_flags flags;
    nothing other;
    endpoint<uint8_t, uint8_t> desk;
    isr_signal tick;
    served<uint8_t, uint8_t> asked;
    flags_wait what;
    uint8_t value = 42;
  };
  struct caller : coroutine<caller, waiting> {
    explicit caller(endpoint<uint8_t, uint8_t>& d) : desk(d) { x.request = 3; }
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(desk.call(x));
      BATON_END();
    }
    endpoint<uint8_t, uint8_t>& desk;
    exchange<uint8_t, uint8_t> x;
  };
  many m;
  m.what.mask = 1;
  m.other.start();
  m.start();
  caller c(m.desk);
  for (uint8_t way = 0; way < 6; ++way) {
    scheduler::run_until_idle();
    uint8_t v = 0;
    if (way == 0) {
      CHECK_EQ(m.out.try_receive(v), status::ok);
      CHECK_EQ(v, 42);
    }
    if (way == 1) CHECK_EQ(m.slots.release(), status::ok);
    if (way == 2) m.flags.set(1);
    if (way == 3) m.other.resume();
    if (way == 4) c.start();
    if (way == 5) m.tick.set();
    if (way == 3) {
      scheduler::run_one();
      m.other.restart();
      scheduler::run_until_idle();
    }
    scheduler::run_until_idle();
    CHECK_WITH(m.is_done(), way);
    CHECK_WITH(m.selected() == way, way);
    CHECK_WITH(m.result() == status::ok, way);
    if (way == 4) CHECK_EQ(m.asked.request(), 3);
    if (way == 4) CHECK_EQ(m.desk.reply(m.asked, 4), status::ok);
    m.restart();
  }
  CHECK_EQ(c.x.reply, 4);
}

TEST_CASE("a select that would send to itself is trapped") {
  struct narcissus : coroutine<narcissus, selecting<2>> {
    explicit narcissus(pipe_type& p) : pool(p) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_SELECT(pool.send(x), pool.receive(y));
      BATON_END();
    }
    pipe_type& pool;
    uint8_t x = 1;
    uint8_t y = 2;
  };
  pipe_type p;
  narcissus n(p);
  n.start();
  CHECK_TRAPS(select_waits_for_itself, scheduler::run_until_idle());
}
