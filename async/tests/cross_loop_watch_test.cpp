// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_watch.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <string>

/// Watches between loops, on one thread: the test does between two steps what another thread could
/// do at a bad moment.
using namespace baton;
using async::cross_loop_watch;
using async::cross_loop_watch_reader;
using async::task;

namespace {

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

struct fixture {
  cross_loop_watch<int> level;
  std::string order;
  async::loop l;

  void step() { scheduler::run_until_idle(); }
  void turn() {
    l.mailbox().deliver();
    step();
  }
};

task<> follows(fixture& on, char name) {
  cross_loop_watch_reader seen;
  for (;;) {
    const status how = co_await on.level.changed(seen);
    on.order += name;
    if (how != status::ok) {
      on.order += letter(how);
      co_return;
    }
    on.order += std::to_string(on.level.read(seen));
  }
}

}  // namespace

TEST_CASE("every reader learns of a new value, first in, first out, and reads the latest alone") {
  fixture f;
  for (char name : {'a', 'b'}) f.l.spawn(follows(f, name));
  f.step();
  CHECK_EQ(f.order, "");  // nothing was set
  f.level.set(1);
  CHECK_EQ(f.order, "");  // on its way
  f.turn();
  CHECK_EQ(f.order, "a1b1");
  f.level.set(2);
  f.level.set(3);  // before either has read
  f.turn();
  CHECK_EQ(f.order, "a1b1a3b3");
  f.level.set(3);  // equal, and new
  f.turn();
  CHECK_EQ(f.order, "a1b1a3b3a3b3");
  CHECK_EQ(f.level.get(), 3);
  f.level.set(4);
  f.level.close();
  f.turn();
  CHECK_EQ(f.order, "a1b1a3b3a3b3a4aXb4bX");
}

TEST_CASE("a reader that has read nothing finds a value that was set before") {
  fixture f;
  f.level.set(7);
  f.l.spawn(follows(f, 'a'));
  f.step();
  CHECK_EQ(f.order, "a7");
  cross_loop_watch_reader seen;
  CHECK(f.level.has_changed(seen));
  CHECK_EQ(f.level.read(seen), 7);
  CHECK(!f.level.has_changed(seen));
  f.level.close();
  f.turn();
  CHECK_EQ(f.order, "a7aX");
}

TEST_CASE("a deadline and a stop mark nothing as read, and come too late once the value was set") {
  fixture f;
  async::scope s;
  s.spawn([](fixture& on) -> task<> {
    cross_loop_watch_reader seen;
    on.order += letter(co_await async::within(milliseconds(1), on.level.changed(seen)));
    CHECK(!on.level.has_changed(seen));
    on.order += letter(co_await on.level.changed(seen));  // a stop comes too late
    CHECK(on.level.has_changed(seen));
    on.order += letter(co_await on.level.changed(seen));
  }(f));
  f.l.spawn([](fixture&) -> task<> { static_cast<void>(co_await async::sleep_for(milliseconds(2))); }(f));
  f.l.run();
  CHECK_EQ(f.order, "t");
  f.level.set(1);
  s.stop();
  f.turn();
  CHECK_EQ(f.order, "tkc");
}

TEST_CASE("a change is a case of a select, and a stackless coroutine waits for it") {
  struct reader : coroutine<reader, async::cross_loop_base<>> {
    explicit reader(fixture& f) : on(f) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(on.level.changed(seen));
        if (result() != status::ok) break;
        on.order += "s" + std::to_string(on.level.read(seen));
      }
      BATON_END();
    }
    fixture& on;
    cross_loop_watch_reader seen;
  };
  fixture f;
  async::cross_loop_channel<int> orders;
  reader r(f);
  r.start();
  f.step();
  f.l.spawn([](fixture& on, async::cross_loop_channel<int>& from) -> task<> {
    cross_loop_watch_reader seen;
    for (;;) {
      int n = 0;
      const async::selection which = co_await async::select(on.level.changed(seen), from.receive(n));
      if (which.status != status::ok) co_return;
      on.order += which.index == 0 ? "w" + std::to_string(on.level.read(seen)) : "c" + std::to_string(n);
    }
  }(f, orders));
  f.step();
  f.level.set(1);
  CHECK_EQ(orders.try_send(5), status::full);  // the select has been decided
  f.turn();
  CHECK_EQ(f.order, "s1w1");
  CHECK_EQ(orders.try_send(5), status::ok);
  f.level.set(2);
  f.turn();
  CHECK_EQ(f.order, "s1w1c5w2s2");
  f.level.close();
  f.turn();
  CHECK(r.is_done());
  CHECK_EQ(f.l.all().running(), 0u);
}

TEST_CASE("a coroutine that is destroyed while it waits, or with the change on its way, leaves the watch") {
  for (const bool was_set : {false, true}) {
    fixture f;
    {
      async::scope s;
      s.spawn(follows(f, 'a'));
      f.step();
      if (was_set) f.level.set(1);
      s.destroy_all();
    }
    f.level.set(2);
    f.turn();
    CHECK_EQ(f.order, "");
  }
}

namespace {

/// A reader of the model: a coroutine that waits when it is told to.
struct watcher {
  async::scope s;
  cross_loop_watch_reader seen;
  bool waits = false;
  int begun = 0, ended = 0;
  status how = status::ok;
  uint64_t model_seen = 0;
  bool is_due = false;  // the model: the end of its wait has been decided
  status expected = status::ok;
};

task<> wait_once(cross_loop_watch<int>& w, watcher& me) {
  me.how = co_await w.changed(me.seen);
  ++me.ended;
}

}  // namespace

TEST_CASE("random sets, reads, waits and cancels of several readers, against a model") {
  constexpr uint16_t readers = 4;
  for (uint32_t seed = 1; seed != 200; ++seed) {
    test::random chance(seed);
    async::loop l;
    cross_loop_watch<int> level;
    watcher all[readers];
    uint64_t version = 0;
    int value = 0;
    for (int i = 0; i != 200; ++i) {
      watcher& w = all[chance.below(readers)];
      switch (chance.below(5)) {
        case 0:
          level.set(value = i);
          ++version;
          for (watcher& each : all) {
            if (each.waits && !each.is_due) each.is_due = true, each.expected = status::ok;
          }
          break;
        case 1:
          if (w.waits) break;
          w.waits = true;
          ++w.begun;
          w.is_due = w.model_seen != version;
          w.expected = status::ok;
          w.s.spawn(wait_once(level, w));
          scheduler::run_until_idle();
          break;
        case 2:
          if (w.waits) break;
          CHECK_WITH(level.has_changed(w.seen) == (w.model_seen != version), seed);
          CHECK_WITH(level.read(w.seen) == value, seed);
          w.model_seen = version;
          break;
        case 3:
          if (!w.waits || w.s.is_stopping()) break;
          w.s.destroy_all();
          w.waits = false;
          w.ended = w.begun;
          break;
        default:
          l.mailbox().deliver();
          scheduler::run_until_idle();
          for (watcher& each : all) {
            if (!each.waits) continue;
            CHECK_WITH((each.ended == each.begun) == each.is_due, seed);
            if (!each.is_due) continue;
            CHECK_WITH(each.how == each.expected, seed);
            each.waits = false;
          }
      }
    }
    for (watcher& w : all) w.s.destroy_all();
  }
}
