// SPDX-License-Identifier: MIT
#include <baton/test/random.hpp>
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

using stream = baton::pipe<8>;

/// Writes the numbers from `first` on as bytes.
struct writer : coroutine<writer, deadline> {
  writer(stream& s, uint8_t first, uint16_t many) : to(s), out(bytes, many) {
    for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<uint8_t>(first + i);
  }
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(10), to.write(out));
    MARK("wrote", out.count);
    if (result() != status::ok) MARK("ended", result());
    BATON_END();
  }
  stream& to;
  uint8_t bytes[32];
  pipe_write out;
};

struct reader : coroutine<reader, deadline> {
  reader(stream& s, uint16_t room) : from(s), in(bytes, room) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(10), from.read(in));
      if (result() != status::ok) break;
      for (uint16_t i = 0; i < in.count; ++i) {
        if (bytes[i] != static_cast<uint8_t>(last + 1)) ++wrong;
        last = bytes[i];
      }
      MARK("read", in.count);
    }
    MARK("ended", result());
    BATON_END();
  }
  stream& from;
  uint8_t bytes[32] = {};
  pipe_read in;
  uint8_t last = 0;
  uint8_t wrong = 0;
};

}  // namespace

TEST_CASE("a write that fits goes on at once, and a read brings what is there") {
  stream s;
  writer w(s, 1, 5);
  reader r(s, 32);
  NAME(s);
  NAME(w);
  NAME(r);
  w.start();
  r.start();
  scheduler::run_until_idle();
  CHECK_TRACE("w ready", "r ready", "w runs", "wrote 5", "w done", "r runs", "read 5", "r waits s");
  CHECK_EQ(r.wrong, 0);
}

TEST_CASE("a write of more than fits waits until all is in the pipe, and its bytes stay in order") {
  stream s;
  writer w(s, 1, 20);
  reader r(s, 3);
  NAME(s);
  NAME(w);
  NAME(r);
  w.start();
  r.start();
  scheduler::run_until_idle();
  CHECK_TRACE("w ready", "r ready", "w runs", "w waits s", "r runs", "read 3", "read 3", "read 3", "w ready", "read 3",
              "read 3", "read 3", "read 2", "r waits s", "w runs", "wrote 20", "w done");
  CHECK_EQ(r.wrong, 0);
  CHECK_EQ(r.last, 20);
}

TEST_CASE("a write hands its bytes to the readers that wait, oldest first") {
  stream s;
  reader a(s, 2), b(s, 2);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  const uint8_t bytes[] = {1, 2, 3, 4, 5};
  CHECK_EQ(s.try_write(bytes, 5), 5);
  CHECK_EQ(s.depth(), 1);
  CHECK_EQ(a.bytes[1], 2);
  CHECK_EQ(b.bytes[1], 4);
  scheduler::run_until_idle();
  CHECK_TRACE("a ready", "b ready", "a runs", "read 2", "read 1", "a waits ?", "b runs", "read 2", "b waits ?");
}

TEST_CASE("the bytes of two writers do not mix, and writers are served in the order of their coming") {
  stream s;
  writer a(s, 1, 12), b(s, 13, 12);
  reader r(s, 5);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  r.start();
  scheduler::run_until_idle();
  CHECK_EQ(r.last, 24);
  CHECK_EQ(r.wrong, 0);
  CHECK(a.is_done());
  CHECK(b.is_done());
}

TEST_CASE("a try moves what is possible, and no byte past a writer that waits") {
  stream s;
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
  uint8_t got[8] = {};
  CHECK_EQ(s.try_read(got, 8), 0);
  CHECK_EQ(s.try_write(bytes, 6), 6);
  CHECK_EQ(s.try_write(bytes, 6), 2);
  CHECK_EQ(s.try_write(bytes, 6), 0);
  writer w(s, 50, 1);
  w.start();
  scheduler::run_until_idle();
  CHECK_EQ(s.try_read(got, 1), 1);
  CHECK_EQ(got[0], 1);
  CHECK_EQ(s.depth(), 8);  // the writer has used the room
  CHECK_EQ(s.try_write(bytes, 1), 0);
  CHECK_EQ(s.try_read(got, 8), 8);
  CHECK_EQ(got[7], 50);
}

TEST_CASE("a close is the end of the stream: what is stored can be read, then closed") {
  stream s;
  writer w(s, 1, 12), late(s, 1, 1);
  reader r(s, 32);
  NAME(w);
  NAME(r);
  NAME(late);
  w.start();
  scheduler::run_until_idle();
  s.close();
  s.close();
  CHECK(s.is_closed());
  r.start();
  late.start();
  scheduler::run_until_idle();
  CHECK_TRACE("w ready", "w runs", "w waits ?", "w ready", "r ready", "late ready", "w runs", "wrote 8", "ended 3",
              "w done", "r runs", "read 8", "r runs", "ended 3", "r done", "late runs", "late runs", "wrote 0",
              "ended 3", "late done");
  const uint8_t byte = 1;
  CHECK_EQ(s.try_write(&byte, 1), 0);
}

TEST_CASE("a read that times out or is cancelled has taken nothing; a write says how much it has written") {
  stream s;
  reader a(s, 4), b(s, 4);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK(b.cancel());
  scheduler::run();
  CHECK_EQ(a.result(), status::timed_out);
  CHECK_EQ(b.result(), status::cancelled);
  writer w(s, 1, 20);
  w.start();
  scheduler::run();
  CHECK_EQ(w.result(), status::timed_out);
  CHECK_EQ(w.out.count, 8);
  CHECK_EQ(s.depth(), 8);
  reader r(s, 32);
  r.start();
  scheduler::run_until_idle();
  CHECK_EQ(r.last, 8);
  CHECK_EQ(r.wrong, 0);
}

TEST_CASE("an operation of no bytes never waits") {
  stream s;
  struct nothing : coroutine<nothing, waiting> {
    explicit nothing(stream& p) : s(p) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(s.read(in));
      BATON_WAIT(s.write(out));
      BATON_END();
    }
    stream& s;
    pipe_read in;
    pipe_write out;
  };
  nothing n(s);
  n.start();
  scheduler::run_until_idle();
  CHECK(n.is_done());
}

TEST_CASE("a read may be the case of a select, and takes nothing if another case wins") {
  struct chooser : coroutine<chooser, selecting<2>> {
    chooser(stream& s, baton::signal& b) : from(s), bell(b), in(bytes, 4) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_SELECT(bell.wait(), from.read(in));
        MARK("chose", selected());
      }
      BATON_END();
    }
    stream& from;
    baton::signal& bell;
    uint8_t bytes[4] = {};
    pipe_read in;
  };
  stream s;
  baton::signal bell;
  chooser a(s, bell);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  const uint8_t bytes[] = {1, 2, 3, 4, 5};
  bell.set();
  CHECK_EQ(s.try_write(bytes, 5), 5);
  scheduler::run_until_idle();
  CHECK_TRACE("a's case ready", "a's case runs", "a ready", "a runs", "chose 0", "chose 1", "chose 1",
              "a's case waits ?", "a's case waits ?", "a selects");
  CHECK_EQ(s.depth(), 0);
  CHECK_EQ(s.try_write(bytes, 3), 3);
  CHECK_EQ(a.in.count, 3);
}

TEST_CASE("a storm of writes, reads, cancels and deadlines loses, doubles and mixes no byte") {
  struct source : coroutine<source, deadline> {
    source(stream& s, test::random& c) : to(s), chance(c) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<uint8_t>(next + i);
        out = pipe_write(bytes, chance.below(sizeof bytes + 1));
        is_writing = true;
        if (chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(chance.below(12)), to.write(out));
        } else {
          BATON_WAIT(to.write(out));
        }
        if (result() == status::ok && out.count != out.size) ++wrong;
        next = static_cast<uint8_t>(next + out.count);
        is_writing = false;
        if (chance.one_in(3)) BATON_DELAY_UNTIL(port::now() + chance.below(6));
      }
      BATON_END();
    }
    stream& to;
    test::random& chance;
    uint8_t bytes[20];
    pipe_write out;
    uint8_t next = 1;
    uint8_t wrong = 0;
    bool is_writing = false;
  };
  struct sink : coroutine<sink, deadline> {
    sink(stream& s, test::random& c) : from(s), chance(c) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        in = pipe_read(bytes, static_cast<uint16_t>(1 + chance.below(sizeof bytes)));
        BATON_WAIT_FOR(ticks(chance.below(12)), from.read(in));
        if (result() == status::ok && in.count == 0) ++wrong;
        for (uint16_t i = 0; result() == status::ok && i < in.count; ++i, ++taken) {
          if (bytes[i] != static_cast<uint8_t>(taken + 1)) ++wrong;
        }
        if (chance.one_in(3)) BATON_DELAY_UNTIL(port::now() + chance.below(6));
      }
      BATON_END();
    }
    stream& from;
    test::random& chance;
    uint8_t bytes[20];
    pipe_read in;
    uint32_t taken = 0;
    uint8_t wrong = 0;
  };
  stream s;
  test::random chance(5);
  source w(s, chance);
  sink r(s, chance);
  w.start();
  r.start();
  uint16_t cancelled = 0;
  for (uint32_t n = 0; n < (test::is_small_target ? 4000u : 200000u); ++n) {
    for (uint16_t steps = chance.below(4); steps; --steps) scheduler::run_one();
    if (chance.one_in(3)) sim::advance(chance.below(8));
    if (chance.one_in(9) && (chance.one_in(2) ? w.cancel() : r.cancel())) ++cancelled;
  }
  CHECK_EQ(w.wrong, 0);
  CHECK_EQ(r.wrong, 0);
  CHECK(r.taken > (test::is_small_target ? 1000u : 50000u));
  CHECK(cancelled > 100);
  w.suspend();
  for (uint8_t n = 0; n < 20; ++n) {
    sim::advance(20);
    scheduler::run_until_idle();
  }
  CHECK_EQ(static_cast<uint8_t>(r.taken + s.depth()),
           static_cast<uint8_t>(w.next - 1 + (w.is_writing ? w.out.count : 0)));
}
