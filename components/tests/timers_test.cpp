// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/components/loop_timer_service.hpp>
#include <baton/sim/clock.hpp>

#include "../../service/tests/program.hpp"

using baton::catch_up;
using baton::milliseconds;
using baton::seconds;
using baton::status;
using baton::tick;
namespace async = baton::async;
using port = baton::port;
namespace sim = baton::sim;
using namespace baton::service;
using namespace baton::components;
namespace testing = baton::service_test;
using testing::take_log;

namespace {

struct door {
  int number;
};

/// Logs an event with its time in milliseconds.
void note(const std::string& what) {
  static tick began = 0;
  if (what.empty()) {
    began = port::now();
  } else {
    testing::note(what + "@" + std::to_string((port::now() - began) / milliseconds(1)));
  }
}

/// An owner of the timers that `fill` makes.
using timer_list = std::vector<timer>;
using filler = void (*)(timer_service&, context, timer_list&);
struct owner {
  owner(required<timer_service> t, context here, filler fill) : of(t), at(here), fills(fill) {}
  void start() {
    note("");
    fills(*of, at, all);
  }
  required<timer_service> of;
  context at;
  filler fills;
  timer_list all;
};

/// Runs a program with one owner until it quits.
int run(filler fill) {
  testing::program app;
  app.add<loop_timer_service, timer_service>();
  app.add<owner>(fill);
  return app.run();
}

}  // namespace

TEST_CASE("a timer is due once, at its time, in the order of the times") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.once(here, milliseconds(20), [] { note("b"); }));
    all.push_back(t.once(here, milliseconds(10), [] { note("a"); }));
    all.push_back(t.once(here, milliseconds(0), [] { note("at once"); }));
    all.push_back(t.once(here, milliseconds(30), [here] { here.quit(); }));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "at once@0 a@10 b@20");
}

TEST_CASE("a timer runs a coroutine, and pushes an event") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    static registration hears;
    hears = here.on<door>([here](const door& d, const event_info& info) {
      note("door" + std::to_string(d.number));
      CHECK_EQ(info.origin, here.id().number);
      if (d.number == 2) here.quit();
    });
    all.push_back(t.once(here, milliseconds(10), []() -> async::task<> {
      note("begins");
      co_await async::sleep_for(milliseconds(5));
      note("ends");
    }));
    all.push_back(t.once(here, milliseconds(12), pushes(door{1})));
    all.push_back(t.once(here, milliseconds(20), pushes(door{2}, priority::high)));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "begins@10 door1@12 ends@15 door2@20");
}

TEST_CASE("a periodic timer stays on its grid") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.every(here, milliseconds(10), catch_up::all, [&all, here] {
      note(std::to_string(all.front().runs()));
      sim::advance(milliseconds(3));
      if (all.front().runs() == 4) here.quit();
    }));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "1@10 2@20 3@30 4@40");
}

TEST_CASE("a periodic timer that comes late skips what has passed, counts it, and is on its grid again") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.every(here, milliseconds(10), catch_up::skip, [&all, here] {
      note(std::to_string(all.front().runs()) + "," + std::to_string(all.front().missed()));
      if (all.front().runs() == 1) sim::advance(milliseconds(25));  // until 35: 20 and 30 have passed
      if (all.front().runs() == 2) sim::advance(milliseconds(10));  // until 50, which is due
      if (all.front().runs() == 3) here.quit();
    }));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "1,0@10 2,2@40 3,3@60");
}

TEST_CASE("a periodic timer that comes late catches up, if it is to do all") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.every(here, milliseconds(10), catch_up::all, [&all, here] {
      note(std::to_string(all.front().runs()));
      if (all.front().runs() == 1) sim::advance(milliseconds(25));
      if (all.front().runs() == 4) here.quit();
    }));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "1@10 2@35 3@35 4@40");
}

TEST_CASE("a coroutine of a periodic timer is never run twice at once") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.every(here, milliseconds(10), catch_up::skip, [&all, here]() -> async::task<> {
      note("begins");
      co_await async::sleep_for(milliseconds(14));
      note("ends");
      if (all.front().runs() == 2) here.quit();
    }));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "begins@10 ends@24 begins@30 ends@44");
}

TEST_CASE("a timer that is gone is not due, also when its own function or another's ends it in the same tick") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    static timer own, first, second, early;
    own = t.every(here, milliseconds(10), catch_up::skip, [] {
      note("own");
      own.end();
      own.end();
    });
    first = t.once(here, milliseconds(20), [] {
      note("first");
      second.end();
    });
    second = t.once(here, milliseconds(20), [] { note("never"); });
    early = t.once(here, milliseconds(5), [] { note("never"); });
    early.end();
    CHECK(!(early));
    {
      const timer lost = t.once(here, milliseconds(5), [] { note("never"); });
    }
    all.push_back(t.once(here, milliseconds(50), [here] {
      CHECK(!(own));
      CHECK(!(first));
      CHECK_EQ(own.runs(), 1u);
      CHECK_EQ(second.runs(), 0u);
      here.quit();
    }));
    CHECK(all.front());
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "own@10 first@20");
}

TEST_CASE("an owner's stop ends its timers, and the coroutine that one of them is in, and a start begins anew") {
  testing::program app;
  app.add<loop_timer_service, timer_service>();
  const service_id who = app.add<owner>(filler([](timer_service& t, context here, timer_list& all) {
    all.push_back(t.every(here, milliseconds(10), catch_up::skip, [] { note("beat"); }));
    all.push_back(t.once(here, milliseconds(15), []() -> async::task<> {
      const status slept = co_await async::sleep_for(seconds(100));
      note(slept == status::cancelled ? "cancelled" : "slept");
    }));
  }));
  const context c = app.main();
  const auto control = [](context here, service_id s) -> async::task<> {
    co_await async::sleep_for(milliseconds(25));
    here.stop(s);
    static_cast<void>(co_await here.stopped(s));
    co_await async::sleep_for(milliseconds(30));
    note("restart");
    here.start(s);
    co_await async::sleep_for(milliseconds(12));
    here.quit();
  };
  CHECK_EQ(c.run(control(c, who)), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "beat@10 beat@20 cancelled@25 restart@55 beat@10");
}

TEST_CASE("a timer outside of its owner ends with the owner all the same") {
  static timer kept;
  testing::program app;
  app.add<loop_timer_service, timer_service>();
  const service_id who = app.add<owner>(filler([](timer_service& t, context here, timer_list&) {
    kept = t.every(here, milliseconds(10), catch_up::skip, [] { note("beat"); });
  }));
  const context c = app.main();
  const auto control = [](context here, service_id s) -> async::task<> {
    co_await async::sleep_for(milliseconds(15));
    here.remove(s);
    co_await async::sleep_for(milliseconds(30));
    CHECK(!(kept));
    CHECK_EQ(kept.runs(), 1u);
    here.quit();
  };
  CHECK_EQ(c.run(control(c, who)), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "beat@10");
  kept.end();
}

TEST_CASE("what a timer's function throws is its owner's failure") {
  testing::program app;
  app.add<loop_timer_service, timer_service>();
  app.add<owner>(filler([](timer_service& t, context here, timer_list& all) {
       all.push_back(t.once(here, milliseconds(10), [] { throw std::runtime_error("no paper"); }));
     }))
      .named("printer");
  CHECK(app.run() != 0);
  CHECK(app.told.find("printer") != std::string::npos);
  CHECK(app.told.find("no paper") != std::string::npos);
}

TEST_CASE("a thousand timers are due in their order") {
  const int code = run([](timer_service& t, context here, timer_list& all) {
    static std::vector<uint32_t> due;
    due.clear();
    uint32_t seed = 7;
    for (int i = 0; i < 1000; ++i) {
      seed = seed * 1664525u + 1013904223u;
      const uint32_t when = 1 + (seed >> 16) % 5000;
      all.push_back(t.once(here, milliseconds(when), [when] { due.push_back(when); }));
    }
    all.push_back(t.once(here, seconds(6), [here] {
      CHECK_EQ(due.size(), 1000u);
      CHECK(std::is_sorted(due.begin(), due.end()));
      here.quit();
    }));
  });
  CHECK_EQ(code, 0);
}
