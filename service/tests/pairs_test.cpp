// SPDX-License-Identifier: MIT
#include "program.hpp"

using namespace baton;
using namespace baton::service;

// Pairs that find each other by a property: the number of times that filters are asked grows with
// the number of pairs, and not with its square.

namespace {

struct database {};
struct user {
  explicit user(required<database>) { ++started; }
  static inline uint32_t started = 0;
};

/// The number of questions to filters for so many pairs, for each pair.
uint64_t questions_for_each(int pairs) {
  static uint64_t questions;
  questions = 0;
  user::started = 0;
  service_test::program app;
  for (int i = 0; i != pairs; ++i) {
    app.add<database>().with("role", i);
    app.add<user>().where<database>([i](const properties& p) {
      ++questions;
      return p.get_or<int64_t>("role", -1) == i;
    });
  }
  const context c = app.main();
  c.run([](context here) -> async::task<> {
    co_await async::sleep_for(milliseconds(1));
    here.quit();
  }(c));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(user::started, static_cast<uint32_t>(pairs));
  return questions / static_cast<uint64_t>(pairs);
}

}  // namespace

TEST_CASE("pairs that find each other by `where` cost in proportion to their number") {
  const uint64_t of_500 = questions_for_each(500);
  CHECK(of_500 <= 2 * 64 + 2);
  CHECK(questions_for_each(4000) <= of_500 + 2);
}

TEST_CASE("a filter that two providers pass is ambiguous still") {
  service_test::program app;
  app.add<database>().with("role", 1).named("one");
  app.add<database>().with("role", 1).named("other");
  app.add<user>().where<database>([](const properties& p) { return p.get_or<int64_t>("role", -1) == 1; });
  CHECK_EQ(app.run(), static_cast<int>(exit_code::two_providers));
  CHECK(app.told.find("'one' (number 1) and 'other' (number 2)") != std::string::npos);
}
