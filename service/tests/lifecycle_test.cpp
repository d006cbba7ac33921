// SPDX-License-Identifier: MIT
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace {

/// A service that logs its lifecycle.
struct noted {
  explicit noted(std::string n) : name(std::move(n)) { note(name + "+"); }
  noted(const noted&) = delete;
  ~noted() { note(name + "-"); }
  void start() const { note(name + ".start"); }
  void stop() const { note(name + ".stop"); }
  std::string name;
};
struct base : noted {
  base() : noted("base") {}
};
struct middle : noted {
  explicit middle(required<base>) : noted("middle") {}
};
struct top : noted {
  top(required<middle>, required<base>) : noted("top") {}
};

struct shape {
  virtual ~shape() = default;
  virtual std::string name() const = 0;
};
struct circle : shape {
  std::string name() const override { return "circle"; }
};
struct polygon : shape {
  polygon(context c, int corners) : corners_(corners), here(c) {}
  std::string name() const override {
    return std::to_string(corners_) + here.properties().get_or<std::string>("colour", "?");
  }
  int corners_;
  context here;
};

/// Runs a test's coroutine while the program runs, and then ends the program.
struct script {
  template <typename Body>
  script(service_test::program& app, Body body) {
    app.main().run([](context c, Body b) -> async::task<> {
      co_await async::sleep_for(milliseconds(1));
      co_await b(c);
      c.quit();
    }(app.main(), std::move(body)));
  }
};
async::task<> a_while() {
  co_await async::sleep_for(milliseconds(1));
}

/// Spawns a coroutine that ignores the outcome of its waits.
struct ticker {
  explicit ticker(context here) { here.spawn(run()); }
  static async::task<> run() {
    for (;;) static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  }
};

}  // namespace

TEST_CASE("a coroutine that ignores its stop does not keep the program") {
  service_test::program app;
  app.add<ticker>();
  const script s(app, [](context) { return a_while(); });
  async::on_destroyed() = [](const async::destroyed_coroutine&) noexcept { note("destroyed"); };
  CHECK_EQ(app.run(), 0);
  async::on_destroyed() = nullptr;
  CHECK_EQ(take_log(), "destroyed");
}

TEST_CASE("services start after what they require, in whatever order they were added, and stop in the reverse order") {
  service_test::program app;
  app.add<top>();
  app.add<middle>();
  app.add<base>();
  const script s(app, [](context) { return a_while(); });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(),
           "base+ base.start middle+ middle.start top+ top.start top.stop top- middle.stop middle- base.stop base-");
}

TEST_CASE("a provider that is removed stops its dependants first; when another comes they start again") {
  service_test::program app;
  const service_id b = app.add<base>();
  app.add<middle>();
  app.add<top>();
  const script s(app, [b](context c) -> async::task<> {
    take_log();
    c.remove(b);
    co_await a_while();
    note("|");
    c.add<base>();
    co_await a_while();
    note("|");
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(),
           "top.stop top- middle.stop middle- base.stop base- | base+ base.start middle+ middle.start top+ top.start | "
           "top.stop top- middle.stop middle- base.stop base-");
}

TEST_CASE("a service that is stopped stays stopped until it is started; waiting for either") {
  service_test::program app;
  const service_id b = app.add<base>();
  const service_id m = app.add<middle>();
  const script s(app, [=](context c) -> async::task<> {
    const status was_started = co_await c.started(m);
    CHECK_EQ(was_started, status::ok);
    take_log();
    c.stop(b);
    const status stopped = co_await c.stopped(m);
    CHECK_EQ(stopped, status::ok);
    const status base_stopped = co_await c.stopped(b);
    CHECK_EQ(base_stopped, status::ok);
    CHECK(!c.is_active(b));
    note("|");
    c.start(b);
    const status started = co_await c.started(m);
    CHECK_EQ(started, status::ok);
    CHECK(c.is_active(b));
    c.remove(m);
    const status gone = co_await c.stopped(m);
    CHECK_EQ(gone, status::ok);
    const status never = co_await c.started(m);
    CHECK_EQ(never, status::closed);
    CHECK(!c.start(m));
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(),
           "middle.stop middle- base.stop base- | base+ base.start middle+ middle.start middle.stop middle- base.stop "
           "base-");
}

TEST_CASE("an optional provider comes and goes, and its user goes on and is told") {
  struct user {
    user(optional<shape> s, context) : seen(s) { note(seen ? "there" : "none"); }
    void arrived(shape& s) const {
      CHECK_EQ(&s, seen.hold().get());
      note("arrived:" + s.name());
    }
    void gone(shape&) const { note("gone"); }
    optional<shape> seen;
  };
  service_test::program app;
  app.add<user>();
  const script s(app, [](context c) -> async::task<> {
    const service_id one = c.add<circle, shape>();
    co_await a_while();
    c.remove(one);
    co_await a_while();
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "none arrived:circle gone");
}

TEST_CASE("all providers of an interface, with arguments and properties of their own") {
  struct gallery {
    gallery(many<shape> s, context) : shapes(s) {}
    void start() const {
      for (const shape& s : shapes) note(s.name());
    }
    void arrived(shape& s) const { note("arrived:" + s.name()); }
    many<shape> shapes;
  };
  service_test::program app;
  app.add<polygon, shape>(3).with("colour", "red");
  app.add<polygon, shape>(4).with("colour", "blue");
  app.add<gallery>();
  const script s(app, [](context c) -> async::task<> {
    c.add<circle, shape>();
    return a_while();
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "4blue 3red arrived:circle");
}

TEST_CASE("a filter chooses among providers by their properties") {
  struct user {
    explicit user(required<shape> s) { note(s->name()); }
  };
  service_test::program app;
  app.add<polygon, shape>(3).with("colour", "red");
  app.add<polygon, shape>(4).with("colour", "blue");
  app.add<user>().where<shape>([](const properties& p) { return p.get_or<std::string>("colour", "") == "blue"; });
  const script s(app, [](context) { return a_while(); });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "4blue");
}

TEST_CASE("a factory makes a provider for each that asks, which goes with it, and none where somebody provides") {
  struct own_shape : shape {
    explicit own_shape(context c) : of(c.requester_name()) { note("for:" + of); }
    ~own_shape() override { note("end:" + of); }
    std::string name() const override { return of; }
    std::string of;
  };
  struct maker {
    explicit maker(context c) : made(c.make_for_each<shape>([](const request& r) { r.make<own_shape, shape>(); })) {}
    factory made;
  };
  struct user {
    user(required<shape> s, context c) { note(std::string(c.name()) + ":" + s->name()); }
  };
  service_test::program app;
  const service_id one = app.add<user>().named("one");
  app.add<user>().named("two");
  app.add<maker>();
  const script s(app, [one](context c) -> async::task<> {
    c.remove(one);
    co_await a_while();
    note("|");
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "for:one for:two one:one two:two end:one | end:two");
}

TEST_CASE("starts and stops that are coroutines: others wait for their ends") {
  struct slow {
    async::task<> start() {
      note("starting");
      co_await async::sleep_for(milliseconds(5));
      note("started");
    }
    async::task<> stop() {
      note("stopping");
      co_await async::sleep_for(milliseconds(5));
      note("stopped");
    }
  };
  struct user : noted {
    explicit user(required<slow>) : noted("user") {}
  };
  service_test::program app;
  app.add<user>();
  const service_id it = app.add<slow>();
  const script s(app, [it](context c) -> async::task<> {
    const status there = co_await c.started(it);
    CHECK_EQ(there, status::ok);
    co_await a_while();
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "starting started user+ user.start user.stop user- stopping stopped");
}

TEST_CASE("coroutines of a service are stopped and have ended before its stop; its handlers hear nothing in it") {
  struct number {};
  struct worker {
    explicit worker(context c) : here(c), heard(c.on<number>([](const number&) { note("heard"); })) {}
    void start() { here.spawn(work()); }
    static async::task<> work() {
      status s = status::ok;
      while (s == status::ok) {
        note("works");
        s = co_await async::sleep_for(milliseconds(2));
      }
      co_await async::yield();
      note("ends");
    }
    async::task<> stop() {
      note("stop");
      here.push(number());
      co_await async::sleep_for(milliseconds(2));
    }
    context here;
    registration heard;
  };
  service_test::program app;
  const service_id w = app.add<worker>();
  const script s(app, [w](context c) -> async::task<> {
    co_await async::sleep_for(milliseconds(2));
    c.push(number());
    c.stop(w);
    const status stopped = co_await c.stopped(w);
    CHECK_EQ(stopped, status::ok);
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "works works heard ends stop");
}

TEST_CASE("what a service begins in its stop ends with it") {
  struct marked {
    explicit marked(const char* n) : name(n) {}
    marked(marked&& other) noexcept : name(std::exchange(other.name, nullptr)) {}
    ~marked() {
      if (name) note(name);
    }
    const char* name;
  };
  struct late {
    explicit late(context c, bool slow) : here(c), is_slow(slow) {}
    ~late() {
      here.spawn(work(marked("in-destructor")));
      note("-");
    }
    static async::task<> work(marked) {
      note("begins");
      co_await async::sleep_for(seconds(100));
      note("ends");
    }
    async::task<> stop() {
      here.spawn(work(marked("in-stop")));
      if (is_slow) co_await async::sleep_for(milliseconds(1));
    }
    context here;
    bool is_slow;
  };
  struct plain {
    explicit plain(context c) : here(c) {}
    void stop() const { here.spawn(late::work(marked("in-plain-stop"))); }
    context here;
  };
  service_test::program app;
  app.add<late>(true);
  app.add<plain>();
  app.add<service_test::ender>();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "in-plain-stop begins ends in-stop - in-destructor");
  CHECK(port::now() < seconds(1));
}

TEST_CASE("a service that fails is started again, later each time, until it has failed too often") {
  struct fragile {
    void start() const {
      note("start@" + std::to_string(port::now() / milliseconds(1)));
      throw std::runtime_error("broken");
    }
  };
  service_test::program app;
  const tick begun = port::now() / milliseconds(1);
  CHECK_EQ(begun, 0u);
  app.add<fragile>().supervised({milliseconds(100), seconds(1), 3});
  CHECK_EQ(app.run(), static_cast<int>(exit_code::start_failed));
  CHECK_EQ(take_log(), "start@0 start@100 start@300 start@700");
  CHECK(app.told.find("fragile' failed: broken\n  it was started again 3 times before") != std::string::npos);
}

TEST_CASE("a service that may fail stays down, and those that require it wait, without ending the others") {
  struct fragile {
    explicit fragile(bool fails) {
      if (fails) throw std::runtime_error("broken");
    }
  };
  struct user {
    explicit user(optional<fragile> f) { note(f ? "has it" : "without"); }
  };
  service_test::program app;
  app.add<fragile>(true).may_fail();
  app.add<user>();
  const script s(app, [](context) { return a_while(); });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "without");
}

TEST_CASE("what a handler of a service throws is the service's failure") {
  struct number {};
  struct fragile {
    explicit fragile(context c) : heard(c.on<number>([](const number&) { throw std::runtime_error("cannot"); })) {
      note("+");
    }
    ~fragile() { note("-"); }
    registration heard;
  };
  service_test::program app;
  app.add<fragile>().supervised();
  const script s(app, [](context c) -> async::task<> {
    c.push(number());
    co_await async::sleep_for(seconds(1));
  });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "+ - + -");
}

TEST_CASE("two applications in one process share nothing") {
  service_test::program one;
  service_test::program other;
  one.add<base>();
  other.add<middle>();
  other.add<base>();
  CHECK_EQ(other.main().push(1), status::ok);
  const registration r = one.main().on<int>([](const int&) { note("never"); });
  const script s(one, [](context) { return a_while(); });
  const script t(other, [](context) { return a_while(); });
  CHECK_EQ(one.run(), 0);
  CHECK_EQ(take_log(), "base+ base.start base.stop base-");
  CHECK_EQ(other.run(), 0);
  CHECK_EQ(take_log(), "base+ base.start middle+ middle.start middle.stop middle- base.stop base-");
}
