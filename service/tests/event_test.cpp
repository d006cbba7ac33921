// SPDX-License-Identifier: MIT
#include "../src/diagnosis.hpp"
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace {

struct number {
  int value;
};
struct text {
  explicit text(std::string t) : value(std::move(t)) {}
  std::string value;
};
struct large {
  char bytes[5000] = {};
  int value = 7;
};
struct empty {};

std::string said(const char* what, int n) {
  return std::string(what) + std::to_string(n);
}

async::task<> slow(const number& n) {
  note(said("begins", n.value));
  co_await async::sleep_for(milliseconds(static_cast<uint32_t>(n.value)));
  note(said("ends", n.value));
}

}  // namespace

TEST_CASE(
    "an event is heard by its handlers in the order of their registration, and events in the order of their pushes") {
  service_test::program app;
  const context c = app.main();
  const registration a = c.on<number>([](const number& n) { note(said("a", n.value)); });
  const registration b = c.on<number>([](const number& n) { note(said("b", n.value)); });
  const registration other = c.on<empty>([](const empty&) { note("empty"); });
  CHECK_EQ(c.push(number{1}), status::ok);
  CHECK_EQ(c.push(empty{}), status::ok);
  CHECK_EQ(c.push(number{2}), status::ok);
  c.quit();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "a1 b1 empty a2 b2");
  CHECK_EQ(app.lost_events(), 0u);
}

TEST_CASE("a higher priority goes first, first in first out inside each") {
  service_test::program app;
  const context c = app.main();
  const registration r = c.on<number>([](const number& n) { note(std::to_string(n.value)); });
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(c.push(number{10 + i}, priority::low), status::ok);
    CHECK_EQ(c.push(number{20 + i}, priority::highest), status::ok);
    CHECK_EQ(c.push(number{30 + i}), status::ok);
  }
  c.quit();
  app.run();
  CHECK_EQ(take_log(), "20 21 22 23 30 31 32 33 10 11 12 13");
}

TEST_CASE("an event of any size and kind arrives whole") {
  service_test::program app;
  const context c = app.main();
  const registration a = c.on<text>([](const text& t) { note(t.value); });
  const registration b = c.on<large>([](const large& l) { note(said("large", l.value)); });
  CHECK_EQ(c.push(text("longer than fits into a string of the small kind")), status::ok);
  CHECK_EQ(c.push(large{}), status::ok);
  c.quit();
  app.run();
  CHECK_EQ(take_log(), "longer than fits into a string of the small kind large7");
}

TEST_CASE("a registration that goes is heard no more, also from its own handler and that of another") {
  service_test::program app;
  const context c = app.main();
  registration first, second, third;
  first = c.on<number>([&](const number& n) {
    note(said("first", n.value));
    first.end();
    note("goes");
  });
  second = c.on<number>([&](const number& n) {
    note(said("second", n.value));
    third.end();
  });
  third = c.on<number>([](const number&) { note("never"); });
  for (int i = 1; i <= 2; ++i) CHECK_EQ(c.push(number{i}), status::ok);
  c.quit();
  app.run();
  CHECK_EQ(take_log(), "first1 goes second1 second2");
}

TEST_CASE("a handler that is registered while an event is handled hears the next") {
  service_test::program app;
  const context c = app.main();
  registration late;
  const registration r = c.on<number>([&](const number& n) {
    note(said("a", n.value));
    if (!late) late = c.on<number>([](const number& m) { note(said("late", m.value)); });
  });
  for (int i = 1; i <= 2; ++i) CHECK_EQ(c.push(number{i}), status::ok);
  c.quit();
  app.run();
  CHECK_EQ(take_log(), "a1 a2 late2");
}

TEST_CASE("a coroutine handles an event with a copy of its own") {
  service_test::program app;
  const context c = app.main();
  const registration r = c.on<number>(&slow);
  CHECK_EQ(c.push(number{3}), status::ok);
  CHECK_EQ(c.push(number{1}), status::ok);
  const auto end = [](context here) -> async::task<> {
    co_await async::sleep_for(milliseconds(10));
    here.quit();
  };
  c.run(end(c));
  app.run();
  CHECK_EQ(take_log(), "begins3 begins1 ends1 ends3");
}

TEST_CASE("who sends an event hears how it ended") {
  service_test::program app;
  const context c = app.main();
  const registration heard = c.on<number>([](const number& n) {
    if (n.value == 2) throw std::runtime_error("two");
  });
  const registration in_coroutine = c.on<number>(&slow);
  const registration stops = c.before<number>([](number& n) { return n.value == 3 ? verdict::stop : verdict::pass; });
  const auto ask = [](context here) -> async::task<> {
    for (int i = 1; i <= 3; ++i) {
      number n{i};
      const delivery o = co_await here.send(n);
      note(said("delivery", i) + (o ? ":good" : ":bad") + std::to_string(o.handlers) +
           (o.failure ? ":" + service::detail::what_of(o.failure) : "") + (o.was_stopped ? ":stopped" : ""));
    }
    empty e;
    const delivery nobody = co_await here.send(e);
    note(said("nobody", static_cast<int>(nobody.handlers)) + (nobody ? ":good" : ":bad"));
    here.quit();
  };
  c.run(ask(c));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "begins1 ends1 delivery1:good2 delivery2:bad0:two delivery3:bad0:stopped nobody0:good");
}

TEST_CASE("interceptors see, change and stop an event, the own type's outside of all types'") {
  service_test::program app;
  const context c = app.main();
  const registration handler = c.on<number>([](const number& n) { note(said("handled", n.value)); });
  const registration b1 = c.before<number>([](number& n) {
    note(said("before", n.value));
    n.value += 10;
  });
  const registration b2 = c.before<number>([](number& n, const event_info& i) {
    note(std::string("again:") + std::string(i.type.substr(i.type.rfind(':') + 1)));
    return n.value == 12 ? verdict::stop : verdict::pass;
  });
  const registration any1 = c.before_any([](const any_event& e) { note(e.get_if<number>() ? "any" : "any-other"); });
  const registration any2 = c.after_any([](const any_event&) { note("after-any"); });
  const registration a1 = c.after<number>([](const number& n) { note(said("after", n.value)); });
  const registration a2 = c.after<number>([](const number&) { note("after-first"); });
  CHECK_EQ(c.push(number{1}), status::ok);
  CHECK_EQ(c.push(number{2}), status::ok);
  CHECK_EQ(c.push(empty{}), status::ok);
  c.quit();
  app.run();
  CHECK_EQ(take_log(),
           "before1 again:number any handled11 after-any after-first after11 before2 again:number after-any "
           "after-first after12 any-other after-any");
}

TEST_CASE("functions and coroutines are run in their turn among the events") {
  service_test::program app;
  const context c = app.main();
  const registration r = c.on<number>([](const number& n) { note(std::to_string(n.value)); });
  CHECK_EQ(c.push(number{1}), status::ok);
  CHECK_EQ(c.run([] { note("function"); }), status::ok);
  CHECK_EQ(c.push(number{2}), status::ok);
  CHECK_EQ(c.run([big = large()] { note(said("large", big.value)); }), status::ok);
  CHECK_EQ(c.run([] { note("first"); }, priority::high), status::ok);
  c.quit();
  app.run();
  CHECK_EQ(take_log(), "first 1 function 2 large7");
}

TEST_CASE("a coroutine that events resume again and again runs between them, and all ready jobs in their order") {
  service_test::program app;
  const context c = app.main();
  baton::signal event;
  int rounds = 0;
  const auto waits = [](const context& on, baton::signal& s, int& n) -> async::task<> {
    for (n = 0; n != 100; ++n) {
      if (n == 50) {  // in the middle of a turn of the queue, others become ready
        for (int other = 1; other != 4; ++other) {
          CHECK_EQ(on.run([](int which) -> async::task<> {
            note(said("spawned", which));
            co_await async::yield();
            note(said("again", which));
          }(other)),
                   status::ok);
        }
      }
      if (n == 70) {
        co_await async::yield();
        note("yielded");
      }
      if (n == 80) {  // the loop's turn comes in the middle, and the coroutine goes on first
        CHECK_EQ(on.run([] { note("event"); }), status::ok);
        for (int i = 0; i != 200; ++i) co_await []() -> async::task<> { co_return; }();
        note("transferred");
      }
      CHECK_EQ(on.run([&s] { s.set(); }), status::ok);
      if (n == 50) note("waits");
      CHECK_EQ(co_await s.wait(), status::ok);
      if (n == 50) note("goes on");
    }
    on.quit();
  };
  CHECK_EQ(c.run(waits(c, event, rounds)), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(rounds, 100);
  CHECK_EQ(take_log(), "waits spawned1 spawned2 spawned3 goes on again1 again2 again3 yielded transferred event");
}

TEST_CASE("a full queue rejects, or drops the oldest of the lowest priority and counts it") {
  for (const overflow policy : {overflow::reject, overflow::drop_oldest}) {
    options o;
    o.events = {4, policy};
    service_test::program app(o);
    const context c = app.main();
    const registration r = c.on<number>([](const number& n) { note(std::to_string(n.value)); });
    CHECK_EQ(c.push(number{1}, priority::high), status::ok);
    for (int i = 2; i <= 6; ++i) {
      const status expected = policy == overflow::reject && i > 4 ? status::full : status::ok;
      CHECK_EQ(c.push(number{i}), expected);
    }
    CHECK_EQ(c.waiting_events(), 4u);
    const registration ends = c.after<number>([&](const number&) {
      if (c.waiting_events() == 0) c.quit();
    });
    app.run();
    CHECK_EQ(take_log(), policy == overflow::reject ? "1 2 3 4" : "1 4 5 6");
    CHECK_EQ(app.lost_events(), policy == overflow::reject ? 0u : 2u);
  }
}

TEST_CASE("a handler whose pushes drop all events of another priority leaves none of it to be handled") {
  options o;
  o.events = {3, overflow::drop_oldest};
  service_test::program app(o);
  const context c = app.main();
  const registration r = c.on<number>([&](const number& n) {
    note(std::to_string(n.value));
    if (n.value != 1) return;
    for (int i = 10; i != 13; ++i) CHECK_EQ(c.push(number{i}), status::ok);
  });
  CHECK_EQ(c.push(number{1}, priority::high), status::ok);
  CHECK_EQ(c.push(number{2}, priority::low), status::ok);
  CHECK_EQ(c.push(number{3}, priority::low), status::ok);
  const registration ends = c.after<number>([&](const number&) {
    if (c.waiting_events() == 0) c.quit();
  });
  app.run();
  CHECK_EQ(take_log(), "1 10 11 12");
  CHECK_EQ(app.lost_events(), 2u);
}

TEST_CASE("quit handles what was pushed before, and what that pushes; what comes after the end is refused") {
  service_test::program app;
  const context c = app.main();
  registration r = c.on<number>([&](const number& n) {
    note(std::to_string(n.value));
    if (n.value < 5) CHECK_EQ(c.push(number{n.value + 1}), status::ok);
  });
  CHECK_EQ(c.push(number{1}), status::ok);
  c.quit(3);
  CHECK_EQ(app.run(), 3);
  CHECK_EQ(take_log(), "1 2 3 4 5");
  CHECK_EQ(c.push(number{9}), status::closed);
}

TEST_CASE("events that never end are dropped when the end has waited long enough, and it says how many") {
  options o;
  o.shutdown_limit = milliseconds(50);
  service_test::program app(o);
  const context c = app.main();
  const registration r = c.on<number>([&](const number& n) {
    static_cast<void>(c.push(n));
    baton::sim::advance(microseconds(10));
  });
  for (int i = 0; i < 3; ++i) CHECK_EQ(c.push(number{i}), status::ok);
  c.quit();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.lost_events(), 3u);
  CHECK_EQ(app.told, "3 events were dropped\n");
}

TEST_CASE("handlers hear one service alone if they ask for that") {
  struct source {
    explicit source(context c, int n) { CHECK_EQ(c.push(number{n}), status::ok); }
  };
  service_test::program app;
  const context c = app.main();
  const service_id one = app.add<source>(1);
  app.add<source>(2);
  const registration r = c.on_from<number>(one, [](const number& n) { note(std::to_string(n.value)); });
  app.add<service_test::ender>();
  app.run();
  CHECK_EQ(take_log(), "1");
}

TEST_CASE("what a handler outside of services throws ends the program, with its text") {
  service_test::program app;
  const context c = app.main();
  const registration r = c.on<number>([](const number&) { throw std::runtime_error("no such number"); });
  CHECK_EQ(c.push(number{1}), status::ok);
  CHECK_EQ(app.run(), static_cast<int>(exit_code::service_failed));
  CHECK_EQ(app.told, "a function outside of services failed: no such number\n");
}
