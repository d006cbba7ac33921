// SPDX-License-Identifier: MIT
#include "program.hpp"

using namespace baton;
using namespace baton::service;

// Pairs that find each other by a property or a name: the number of questions to filters grows with
// the number of pairs, and not with its square.

namespace {

struct database {
  virtual ~database() = default;
  virtual bool is_near() const { return false; }
};
struct slow_database : database {
  async::task<> start() { static_cast<void>(co_await async::sleep_for(milliseconds(1))); }
};
struct network {};
struct database_of_network : database {
  explicit database_of_network(required<network>) {}
};
struct user {
  explicit user(required<database>) { ++started; }
  static inline uint32_t started = 0;
};

uint64_t questions;

template <typename Database>
void add_database(application& app, int role) {
  app.add<Database, database>().with("role", role);
}
void add_user(application& app, int role) {
  app.add<user>().where<database>([role](const properties& p) {
    ++questions;
    return p.get_or<int64_t>("role", -1) == role;
  });
}

enum class order { pairs, users_first, two_rows, users_then_reverse };

template <typename Database = database>
void add_pairs(application& app, int pairs, order in) {
  for (int i = 0; i != pairs; ++i) {
    if (in != order::pairs) add_user(app, i);
    if (in == order::pairs || in == order::users_first) add_database<Database>(app, i);
    if (in == order::pairs) add_user(app, i);
  }
  for (int i = 0; i != pairs; ++i) {
    if (in == order::two_rows) add_database<Database>(app, i);
    if (in == order::users_then_reverse) add_database<Database>(app, pairs - 1 - i);
  }
}

async::task<> end_later(context here) {
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  here.quit();
}

/// The number of questions for each pair, in a program that starts so many and ends.
template <typename Database = database>
uint64_t questions_for_each(int pairs, order in) {
  questions = user::started = 0;
  service_test::program app;
  app.add<network>();
  add_pairs<Database>(app, pairs, in);
  app.main().run(end_later(app.main()));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(user::started, static_cast<uint32_t>(pairs));
  return questions / static_cast<uint64_t>(pairs);
}

/// A look of the provider and two of the requirement, at 64 each.
constexpr uint64_t most = 192;

}  // namespace

TEST_CASE("pairs that find each other by `where` ask a limited number of questions each") {
  for (const order in : {order::pairs, order::users_first, order::two_rows, order::users_then_reverse}) {
    const uint64_t of_500 = questions_for_each(500, in);
    CHECK(of_500 <= most);
    CHECK(questions_for_each(2000, in) <= of_500 + 10);
  }
}

TEST_CASE("pairs whose providers start slowly, or wait themselves, ask no more questions") {
  CHECK(questions_for_each<slow_database>(1000, order::pairs) <= most);
  CHECK(questions_for_each<database_of_network>(1000, order::pairs) <= most);
}

namespace {

struct named_user {
  explicit named_user(required<database, "one">) { ++user::started; }
};

/// Databases that are nobody's, so that a look from a side does not reach all.
void add_crowd(application& app, int from, int to) {
  for (int i = from; i != to; ++i) add_database<database>(app, i);
}
constexpr int crowd = 200;

}  // namespace

TEST_CASE("a requirement by name finds its provider among many") {
  user::started = 0;
  service_test::program app;
  add_crowd(app, 0, crowd);
  app.add<database>().named("one");
  app.add<named_user>();
  add_crowd(app, crowd, 2 * crowd);
  app.main().run(end_later(app.main()));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(user::started, 1u);
}

namespace {

/// A database that is too far away for a look from the user.
struct far_database : database {};
struct near_database : database {
  bool is_near() const override { return true; }
};
struct failing_database : near_database {
  void start() { throw std::runtime_error("no file"); }
};
struct late_database : near_database {
  explicit late_database(required<network>) {}
};
struct missing {};
struct stuck_database : near_database {
  explicit stuck_database(required<missing>) {}
};

struct noted_user {
  explicit noted_user(required<database> d) { service_test::note(d->is_near() ? "near" : "far"); }
};
struct slow_service {
  async::task<> start() {
    static_cast<void>(co_await async::sleep_for(milliseconds(1)));
    service_test::note("slow");
  }
};

/// A program of a user, a database beside it, one that it does not see, and a slow start.
struct far_and_near : service_test::program {
  explicit far_and_near(options o = {}) : program(o) {}

  template <typename Near>
  added add_all(int32_t rank_of_far) {
    add<slow_service>();
    added near = add<Near, database>().with("role", 1).may_fail();
    add_crowd(*this, 1000, 1000 + crowd);
    add<far_database, database>().with("role", 1).rank(rank_of_far);
    add<network>();
    add<noted_user>().where<database>([](const properties& p) { return p.get_or<int64_t>("role", 0) == 1; });
    main().run(end_later(main()));
    return near;
  }
  std::string run_to_end() {
    CHECK_EQ(run(), 0);
    return service_test::take_log();
  }
};

options patient() {
  options o;
  o.waits_for_providers = true;
  return o;
}

}  // namespace

TEST_CASE("a requirement gets the provider that it expects, or an active one of a higher rank") {
  far_and_near lower;
  lower.add_all<late_database>(-1);
  CHECK_EQ(lower.run_to_end(), "near slow");
  far_and_near higher;
  higher.add_all<late_database>(1);
  CHECK_EQ(higher.run_to_end(), "far slow");
}

TEST_CASE("a requirement does not wait for the provider that it expects when that fails") {
  far_and_near app;
  app.add_all<failing_database>(-1);
  CHECK_EQ(app.run_to_end(), "far slow");
}

TEST_CASE("a requirement waits for the provider that it expects until no start is on its way") {
  far_and_near app(patient());
  app.add_all<stuck_database>(-1);
  CHECK_EQ(app.run_to_end(), "slow far");
}

TEST_CASE("a requirement does not wait for an expected provider that is removed") {
  far_and_near app(patient());
  const service_id near = app.add_all<stuck_database>(-1);
  app.main().run([](context here, service_id what) -> async::task<> {
    static_cast<void>(co_await async::sleep_for(microseconds(100)));
    CHECK(here.remove(what));
  }(app.main(), near));
  CHECK_EQ(app.run_to_end(), "far slow");
}
