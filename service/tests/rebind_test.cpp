// SPDX-License-Identifier: MIT
//
// Providers that are replaced while they are used: ranks, dependencies that are bound anew, and
// providers that are held.
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace store {

/// A database whose look-up takes five milliseconds.
struct db {
  explicit db(std::string n) : name(std::move(n)) { note(name + "+"); }
  db(const db&) = delete;
  ~db() {
    note(name + "-");
    values.clear();
  }
  void stop() const { note(name + ".stop"); }
  async::task<std::string> look(size_t key) const {
    co_await async::sleep_for(milliseconds(5));
    co_return name + std::to_string(values.at(key));
  }
  std::string name;
  std::vector<int> values = std::vector<int>(10, 7);
};

}  // namespace store

namespace {

using store::db;

template <typename Body>
int run(service_test::program& app, Body body) {
  app.main().run([](context c, Body b) -> async::task<> {
    co_await async::sleep_for(milliseconds(1));
    co_await b(c);
    c.quit();
  }(app.main(), body));
  return app.run();
}
async::task<> a_while(uint32_t ms = 1) {
  co_await async::sleep_for(milliseconds(ms));
}

/// Looks something up every other millisecond, in whatever provider is the present one.
template <typename Dependency>
struct reader {
  reader(Dependency d, context here) : from(d) {
    note("reader+");
    here.spawn(work());
  }
  ~reader() { note("reader-"); }
  void arrived(db& d) const { note("arrived:" + d.name); }
  void gone(db& d) const { note("gone:" + d.name); }
  async::task<> work() {
    for (;;) {
      const std::string found = co_await from->look(3);
      note(found);
      const status slept = co_await async::sleep_for(milliseconds(5));
      if (slept != status::ok) co_return;
    }
  }
  Dependency from;
};

}  // namespace

TEST_CASE("the provider with the highest rank is chosen, and among equal ones the one that is there longest") {
  struct user {
    explicit user(required<db> d) { note("user:" + d->name); }
  };
  service_test::program app;
  app.add<db>(std::string("low")).rank(-1);
  app.add<db>(std::string("high")).rank(2);
  app.add<db>(std::string("middle"));
  app.add<user>();
  const int code = run(app, [](context) { return a_while(); });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told, "");
  CHECK(take_log().find("middle+ user:high") != std::string::npos);
}

TEST_CASE("two providers of the highest rank are ambiguous, and lower ones do not matter") {
  struct user {
    explicit user(required<db>) {}
  };
  service_test::program app;
  app.add<db>(std::string("low"));
  app.add<db>(std::string("high")).rank(1).named("one");
  app.add<db>(std::string("high")).rank(1).named("other");
  app.add<user>();
  CHECK_EQ(app.run(), static_cast<int>(exit_code::two_providers));
  CHECK(app.told.find("there are two: 'one' (number 2) and 'other' (number 3)") != std::string::npos);
}

TEST_CASE("a current provider is replaced while it is used: the coroutine inside the old one ends there") {
  service_test::program app;
  const service_id old = app.add<db>(std::string("old"));
  app.add<reader<current<db>>>();
  const int code = run(app, [old](context c) -> async::task<> {
    const service_id next = c.add<db>(std::string("new")).rank(1);
    const status started = co_await c.started(next);
    CHECK_EQ(started, status::ok);
    note("|");
    c.remove(old);
    const status gone = co_await c.stopped(old);
    CHECK_EQ(gone, status::ok);
    co_await a_while(12);
    note("|");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told, "");
  // The look-up began in the old one, which stops when it has ended.
  CHECK_EQ(take_log().substr(0, 80),
           "old+ reader+ new+ arrived:new gone:old | old7 old.stop old- new7 | reader- new.s");
}

TEST_CASE("without a successor that is active a current dependency stops its dependant, as a requirement does") {
  service_test::program app;
  const service_id old = app.add<db>(std::string("old"));
  app.add<reader<current<db>>>();
  const int code = run(app, [old](context c) -> async::task<> {
    c.remove(old);
    co_await a_while(1);
    note("|");
    c.add<db>(std::string("new"));
    co_await a_while(1);
    note("|");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log().substr(0, 62), "old+ reader+ old7 reader- old.stop old- | new+ reader+ | new7 ");
}

TEST_CASE("a requirement keeps its provider, and starts with the successor before the old one stops") {
  service_test::program app;
  const service_id old = app.add<db>(std::string("old"));
  app.add<reader<required<db>>>();
  const int code = run(app, [old](context c) -> async::task<> {
    const service_id next = c.add<db>(std::string("new")).rank(1);
    const status started = co_await c.started(next);
    CHECK_EQ(started, status::ok);
    note("|");
    co_await a_while(8);
    note("|");
    c.remove(old);
    co_await a_while(1);
    note("|");
  });
  CHECK_EQ(code, 0);
  // The coroutine inside the old one sees its wait cancelled; the reader has ended before the stop.
  CHECK_EQ(take_log().substr(0, 70), "old+ reader+ new+ | old7 | reader- reader+ old.stop old- | new7 reader");
}

TEST_CASE("ranks that change while the program runs move what can be bound anew, there and back") {
  service_test::program app;
  const service_id a = app.add<db>(std::string("a")).rank(1);
  const service_id b = app.add<db>(std::string("b"));
  app.add<reader<optional<db>>>();
  const int code = run(app, [=](context c) -> async::task<> {
    co_await a_while(6);
    take_log();
    CHECK(c.set_rank(b, 2));
    note("|");
    CHECK(c.set_rank(b, 0));
    note("|");
    CHECK(c.set_rank(a, -1));
    note("|");
    c.stop(b);
    co_await a_while(1);
    note("|");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log().substr(0, 100),
           "arrived:b gone:a | arrived:a gone:b | arrived:b gone:a | arrived:a gone:b b.stop b- | reader- a.stop");
}

TEST_CASE("a provider that is held does not stop: in a block, and in an expression with an await") {
  struct user {
    user(optional<db> d, context here) : from(d) {
      here.spawn(in_a_block());
      here.spawn(in_an_expression());
    }
    async::task<> in_a_block() {
      if (auto d = from.hold()) {
        co_await async::sleep_for(milliseconds(7));
        CHECK(!from);  // it is on its way out, and held
        note("held:" + d->name);
      }
    }
    async::task<> in_an_expression() {
      co_await async::sleep_for(milliseconds(1));
      if (from) {
        const std::string found = co_await from->look(3);
        note(found);
      }
    }
    optional<db> from;
  };
  service_test::program app;
  const service_id d = app.add<db>(std::string("db"));
  app.add<user>();
  const int code = run(app, [d](context c) -> async::task<> {
    co_await a_while(2);
    c.remove(d);
    co_await a_while(10);
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(take_log(), "db+ db7 held:db db.stop db-");
}

TEST_CASE("a service that holds a stopping provider beyond the limit has failed, and lets go") {
  struct user {
    user(optional<db> d, context here) : from(d) { here.spawn(keeps()); }
    async::task<> keeps() {
      const auto d = from.hold();
      const status slept = co_await async::sleep_for(seconds(1000));
      note(slept == status::cancelled ? "cancelled" : "?");
    }
    optional<db> from;
  };
  service_test::program app;
  const service_id d = app.add<db>(std::string("db")).named("the db");
  app.add<user>().named("keeper").may_fail();
  const int code = run(app, [d](context c) -> async::task<> {
    c.remove(d);
    const status gone = co_await c.stopped(d);
    CHECK_EQ(gone, status::ok);
    CHECK(port::now() >= seconds(10));
    CHECK(port::now() < seconds(11));
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "db+ cancelled db.stop db-");
  CHECK_EQ(app.told,
           "'keeper' failed: it has held 'the db', which stops, for 10 s\n"
           "  a hold ends with its block; options::step_limit sets the limit\n  it stays down\n");
}

TEST_CASE("holds move, end once, and may be all of many") {
  struct user {
    user(many<db> all, optional<db> one, context here) {
      std::vector<held<db>> kept = all.hold();
      CHECK_EQ(kept.size(), 2u);
      held<db> a = one.hold();
      held<db> b = std::move(a);
      // A move leaves nothing. NOLINTNEXTLINE(bugprone-use-after-move)
      CHECK((!a && b));
      a = std::move(b);
      CHECK((a && !b));  // NOLINT(bugprone-use-after-move)
      kept.push_back(std::move(a));
      kept.erase(kept.begin());
      kept.back().release();
      kept.back().release();
      here.quit();
    }
  };
  service_test::program app;
  app.add<db>(std::string("x"));
  app.add<db>(std::string("y")).rank(1);
  app.add<user>();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("a dependency by name is on the provider of that name, and the diagnosis says the name") {
  struct copier {
    copier(required<db, "main"> from, required<db, "replica"> to, optional<db, "third"> other) {
      note(from->name + ">" + to->name + (other ? "!" : ""));
    }
  };
  for (const bool complete : {true, false}) {
    service_test::program app;
    app.add<copier>().named("copier");
    app.add<db>(std::string("m")).named("main");
    if (complete) app.add<db>(std::string("r")).named("replica");
    const int code = run(app, [](context) { return a_while(); });
    CHECK_EQ(code, complete ? 0 : 10);
    CHECK_EQ(take_log().find("m>r") != std::string::npos, complete);
    if (complete) continue;
    CHECK_EQ(
        app.told,
        "a service cannot start\n- 'copier' requires 'store::db' of the name 'replica', which no service provides: "
        "copier -> store::db\n  add one with named(\"replica\"), or ask for optional<store::db, \"replica\">\n");
  }
}

TEST_CASE("at least one of many: the dependant waits for the first, and stops when the last one goes") {
  struct user {
    explicit user(at_least_one<db> d) : all(d) { note("user" + std::to_string(std::distance(all.begin(), all.end()))); }
    ~user() { note("user-"); }
    void arrived(db& d) const { note("arrived:" + d.name); }
    void gone(db& d) const { note("gone:" + d.name); }
    at_least_one<db> all;
  };
  options o;
  o.waits_for_providers = true;
  service_test::program app(o);
  app.add<user>();
  const int code = run(app, [](context c) -> async::task<> {
    note("|");
    const service_id a = c.add<db>(std::string("a"));
    co_await a_while();
    const service_id b = c.add<db>(std::string("b"));
    co_await a_while();
    c.remove(a);
    co_await a_while();
    note("|");
    c.remove(b);
    co_await a_while();
    note("|");
    c.add<db>(std::string("c"));
    co_await a_while();
    note("|");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "| a+ user1 b+ arrived:b gone:a a.stop a- | user- b.stop b- | c+ user1 | user- c.stop c-");
}

TEST_CASE("without one of many the program says what is missing") {
  struct user {
    explicit user(at_least_one<db>) {}
  };
  service_test::program app;
  app.add<user>();
  CHECK_EQ(app.run(), static_cast<int>(exit_code::missing_provider));
  CHECK(app.told.find("requires 'store::db', which no service provides") != std::string::npos);
}
