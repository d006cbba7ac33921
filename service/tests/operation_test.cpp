// SPDX-License-Identifier: MIT
//
// Services as an operator sees them: mistakes and failures while the program runs, restarts, and
// what is told about them.
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace plant {

struct pump {
  virtual ~pump() = default;
};
struct electric : pump {};
struct diesel : pump {};
struct boiler {
  explicit boiler(required<pump>) { note("boiler+"); }
  ~boiler() { note("boiler-"); }
};
/// Fails at its first starts.
struct late {
  late(int* tries, int failing) : tries_(*tries), failing_(failing) {}
  void start() const {
    if (tries_++ < failing_) throw std::runtime_error("connection refused");
    note("late@" + std::to_string(port::now() / milliseconds(1)));
  }
  int& tries_;
  int failing_;
};
struct job {
  explicit job(required<late>) { note("job+"); }
};

}  // namespace plant

namespace {

/// Runs a test's coroutine while the program runs, and then ends the program.
template <typename Body>
int run(service_test::program& app, Body body) {
  app.main().run([](context c, Body b) -> async::task<> {
    co_await async::sleep_for(milliseconds(1));
    co_await b(c);
    c.quit();
  }(app.main(), body));
  return app.run();
}

async::task<> a_while() {
  co_await async::sleep_for(milliseconds(1));
}

}  // namespace

TEST_CASE("a second provider that is added to a running program is refused, and the program goes on") {
  service_test::program app;
  app.add<plant::electric, plant::pump>();
  app.add<plant::boiler>();
  const int code = run(app, [&app](context c) -> async::task<> {
    const service_id second = c.add<plant::diesel, plant::pump>();
    const status started = co_await c.started(second);
    CHECK_EQ(started, status::closed);
    CHECK(!c.is_active(second));
    const std::string why = c.failure_of(second);
    CHECK(why.find("requires one 'plant::pump', and there are two") != std::string::npos);
    CHECK_EQ(app.told, "'plant::diesel' is refused: " + why + "\n");
    note("|");
    CHECK(c.remove(second));
    const status gone = co_await c.stopped(second);
    CHECK_EQ(gone, status::ok);
    co_await a_while();
    CHECK_EQ(c.failure_of(second), "");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "boiler+ | boiler-");
}

TEST_CASE("a service that is added to a running program and could take either of two providers is refused") {
  service_test::program app;
  app.add<plant::electric, plant::pump>();
  app.add<plant::diesel, plant::pump>();
  const int code = run(app, [](context c) -> async::task<> {
    const service_id b = c.add<plant::boiler>();
    const status started = co_await c.started(b);
    CHECK_EQ(started, status::closed);
    CHECK(c.failure_of(b).find("'plant::boiler' requires one 'plant::pump'") == 0);
    c.start(b);  // a start by hand takes the provider that is there longest
    const status by_hand = co_await c.started(b);
    CHECK_EQ(by_hand, status::ok);
  });
  CHECK_EQ(code, 0);
}

TEST_CASE("a stand-by that is stopped is no second provider, and can take over") {
  service_test::program app;
  const service_id one = app.add<plant::electric, plant::pump>();
  const service_id other = app.add<plant::diesel, plant::pump>().stopped();
  app.add<plant::boiler>();
  const int code = run(app, [=](context c) -> async::task<> {
    note("|");
    c.start(other);
    const status started = co_await c.started(other);
    CHECK_EQ(started, status::ok);
    c.stop(one);
    const status stopped = co_await c.stopped(one);
    CHECK_EQ(stopped, status::ok);
    co_await a_while();
    note("|");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(take_log(), "boiler+ | boiler- boiler+ | boiler-");
}

TEST_CASE("the successor of a provider that has failed for good is no second provider") {
  struct broken : plant::pump {
    void start() const { throw std::runtime_error("seized"); }
  };
  service_test::program app;
  app.add<broken, plant::pump>().may_fail();
  app.add<plant::boiler>();
  const int code = run(app, [](context c) -> async::task<> {
    const service_id next = c.add<plant::electric, plant::pump>();
    const status started = co_await c.started(next);
    CHECK_EQ(started, status::ok);
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "boiler+ boiler-");
}

TEST_CASE("a supervised provider whose first start fails is started again while others wait for it, and says why") {
  service_test::program app;
  int tries = 0;
  app.add<plant::late>(&tries, 2).named("database").supervised({milliseconds(100), seconds(1)});
  app.add<plant::job>();
  const int code = run(app, [](context) -> async::task<> { co_await async::sleep_for(milliseconds(999)); });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "late@300 job+");
  CHECK_EQ(app.told,
           "'database' failed: connection refused\n  it starts again in 100 ms, restart 1 in a row\n"
           "'database' failed: connection refused\n  it starts again in 200 ms, restart 2 in a row\n");
}

TEST_CASE("a provider that starts again excuses no other mistake") {
  service_test::program app;
  int tries = 0;
  app.add<plant::late>(&tries, 2).supervised();
  app.add<plant::job>();
  app.add<plant::boiler>();
  CHECK_EQ(app.run(), static_cast<int>(exit_code::missing_provider));
  CHECK(app.told.find("a service cannot start\n- 'plant::boiler' requires 'plant::pump'") != std::string::npos);
}

TEST_CASE("services wait for a provider that may fail, and its failure is told") {
  service_test::program app;
  int tries = 0;
  app.add<plant::late>(&tries, 9).may_fail();
  app.add<plant::job>();
  const int code = run(app, [](context) { return a_while(); });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told, "'plant::late' failed: connection refused\n  it stays down\n");
}

TEST_CASE("a start by hand ends the pause before a restart: one timer runs at a time") {
  service_test::program app;
  int tries = 0;
  const service_id f = app.add<plant::late>(&tries, 3).supervised({milliseconds(200), seconds(30)});
  const int code = run(app, [f, &tries](context c) -> async::task<> {
    CHECK_EQ(tries, 1);
    co_await async::sleep_for(milliseconds(49));
    c.start(f);  // fails at 50 ms, the next restart is at 450
    co_await async::sleep_for(milliseconds(390));
    CHECK_EQ(tries, 2);
    co_await async::sleep_for(milliseconds(20));
    CHECK_EQ(tries, 3);
    co_await async::sleep_for(milliseconds(780));  // 1240; the last restart is at 1250
    CHECK_EQ(tries, 3);
    const status started = co_await c.started(f);
    CHECK_EQ(started, status::ok);
    CHECK_EQ(port::now() / milliseconds(1), 1250u);
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "late@1250");
}

TEST_CASE("a service that is removed in the pause before its restart is gone") {
  service_test::program app;
  int tries = 0;
  const service_id f = app.add<plant::late>(&tries, 9).supervised({milliseconds(10), seconds(30)});
  const int code = run(app, [f](context c) -> async::task<> {
    CHECK(c.remove(f));
    const status gone = co_await c.started(f);
    CHECK_EQ(gone, status::closed);
    co_await async::sleep_for(milliseconds(50));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(tries, 1);
}

TEST_CASE("each failure, restart and change is an event, with its reason, and a count of the snapshot") {
  service_test::program app;
  int tries = 0;
  const service_id f = app.add<plant::late>(&tries, 2).named("late").rank(3).supervised({milliseconds(10), seconds(1)});
  std::string seen;
  const registration heard = app.main().on<service_changed>([&](const service_changed& c, const event_info& i) {
    CHECK_EQ(c.who, f);
    CHECK_EQ(i.origin, f.number);
    seen += c.name + ":" + std::string(name_of(c.from)) + ">" + std::string(name_of(c.to)) +
            (c.why.empty() ? "" : "(" + c.why + ")") + " ";
  });
  const int code = run(app, [&](context c) -> async::task<> {
    CHECK_EQ(seen,
             "late:fresh>waiting late:waiting>starting late:starting>stopping(connection refused) "
             "late:stopping>down(connection refused) ");
    seen.clear();
    const status started = co_await c.started(f);
    CHECK_EQ(started, status::ok);
    co_await a_while();
    CHECK_EQ(seen,
             "late:down>waiting(restart 1 in a row) late:waiting>starting late:starting>stopping(connection refused) "
             "late:stopping>down(connection refused) late:down>waiting(restart 2 in a row) late:waiting>starting "
             "late:starting>active ");
    seen.clear();
    const worker_snapshot all = c.worker().snapshot();
    const service_snapshot* const s = all.find("late");
    CHECK(s != nullptr);
    if (!s) co_return;
    CHECK_EQ(s->starts, 1u);
    CHECK_EQ(s->failures, 2u);
    CHECK_EQ(s->restarts, 2u);
    CHECK_EQ(s->rank, 3);
    CHECK_EQ(s->failure, "connection refused");
    c.stop(f);
    co_await a_while();
    CHECK_EQ(seen,
             "late:active>leaving(it is stopped) late:leaving>stopping(it is stopped) "
             "late:stopping>waiting ");
  });
  CHECK_EQ(code, 0);
}

TEST_CASE("on request each change is a line") {
  options o;
  o.tells_changes = true;
  service_test::program app(o);
  app.add<plant::electric, plant::pump>().named("pump");
  const int code = run(app, [](context) { return a_while(); });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told,
           "'pump' is waiting\n'pump' is starting\n'pump' is active\n'pump' is leaving: the program ends\n"
           "'pump' is stopping: the program ends\n'pump' is waiting\n");
}

namespace {

struct number {};
struct sender {
  explicit sender(context here) { here.push(number()); }
};

}  // namespace

TEST_CASE("calls with the id of another worker's service change nothing, and are told") {
  service_test::program app;
  const service_id own = app.add<plant::electric, plant::pump>();
  const service_id foreign = app.add_worker("other").add<plant::diesel, plant::pump>();
  CHECK_EQ(own.number, foreign.number);
  CHECK(own != foreign);
  const context c = app.main();
  CHECK(!c.remove(foreign));
  CHECK(!c.stop(foreign));
  CHECK(!c.start(foreign));
  CHECK(!c.set_rank(foreign, 1));
  CHECK(!c.is_active(foreign));
  CHECK_EQ(c.failure_of(foreign), "");
  static_cast<void>(c.on_from<number>(foreign, [](const number&) {}));
  std::string expected;
  for (int i = 0; i != 7; ++i)
    expected += "the worker 'main' refuses a call with the id of a service of another worker\n";
  CHECK_EQ(app.told, expected);
  CHECK(!c.remove(service_id{}));  // no service's, which is not told
  CHECK_EQ(app.told, expected);
}

TEST_CASE("an id of another program's service is refused while the program runs") {
  service_test::program elsewhere;
  const service_id foreign = elsewhere.add<plant::diesel, plant::pump>();
  service_test::program app;
  const service_id own = app.add<sender>();
  CHECK_EQ(own.number, foreign.number);
  bool is_heard = false;
  const registration r = app.main().on_from<number>(foreign, [&](const number&) { is_heard = true; });
  const int code = run(app, [=](context c) -> async::task<> {
    const status started = co_await c.started(foreign);
    CHECK_EQ(started, status::closed);
    const status stopped = co_await c.stopped(foreign);
    CHECK_EQ(stopped, status::closed);
    CHECK(!c.remove(foreign));
    co_await a_while();
    CHECK(c.is_active(own));
  });
  CHECK_EQ(code, 0);
  CHECK(!is_heard);
}

TEST_CASE("what `arrived` or `gone` throws is the service's failure") {
  struct delicate {
    delicate(optional<plant::pump> p, bool at_arrival) : from(p), throws_at_arrival(at_arrival) {}
    void arrived(plant::pump&) const {
      if (throws_at_arrival) throw std::runtime_error("too loud");
    }
    void gone(plant::pump&) const { throw std::runtime_error("too quiet"); }
    optional<plant::pump> from;
    bool throws_at_arrival;
  };
  for (const bool at_arrival : {true, false}) {
    service_test::program app;
    app.add<delicate>(at_arrival).named("delicate").may_fail();
    const int code = run(app, [](context c) -> async::task<> {
      const service_id p = c.add<plant::electric, plant::pump>();
      const status started = co_await c.started(p);
      CHECK_EQ(started, status::ok);
      c.remove(p);
      co_await a_while();
    });
    CHECK_EQ(code, 0);
    CHECK_EQ(app.told,
             std::string("'delicate' failed: too ") + (at_arrival ? "loud" : "quiet") + "\n  it stays down\n");
  }
}
