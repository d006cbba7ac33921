// SPDX-License-Identifier: MIT
#include <baton/components/event_statistics.hpp>
#include <baton/sim/clock.hpp>

#include "../../service/tests/program.hpp"

using namespace baton::service;
using namespace baton::components;
using baton::microseconds;
using baton::status;
namespace async = baton::async;
namespace sim = baton::sim;
namespace testing = baton::service_test;

// A named namespace, because compilers print an unnamed one in different ways.
namespace post {

struct letter {
  uint32_t pages;
};
struct stamp {};
struct bell {};

}  // namespace post

namespace {

using post::bell;
using post::letter;
using post::stamp;

/// Takes a microsecond per page.
struct printer {
  explicit printer(context here)
      : prints(here.on<letter>([](const letter& l) { sim::advance(microseconds(l.pages)); })) {}
  registration prints;
};

/// Logs the table when the bell rings.
struct reporter {
  reporter(required<event_statistics> s, context here)
      : hears(here.on<bell>([=](const bell&) {
          testing::note(s->table().text());
          here.quit();
        })) {}
  registration hears;
};

}  // namespace

TEST_CASE("events are counted and timed, a row a type") {
  testing::program app;
  app.add<event_statistics>();
  app.add<printer>();
  app.add<reporter>();
  const context c = app.main();
  const auto work = [](context here) -> async::task<> {
    for (const uint32_t pages : {30u, 10u, 50u}) here.push(letter{pages});
    here.push(stamp{});
    here.run([] { sim::advance(microseconds(1000)); });
    const delivery sent = co_await here.send(letter{20});
    CHECK_EQ(sent.handlers, 1u);
    here.push(bell{});
  };
  CHECK_EQ(c.run(work(c)), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(testing::take_log(),
           "event             count     min us    mean us     max us\n"
           "post::letter          4         10         27         50\n"
           "post::stamp           1          0          0          0\n");
}

TEST_CASE("an event that is stopped is counted, and one whose handler throws has failed") {
  testing::program app;
  app.add<event_statistics>();
  const context c = app.main();
  struct checker {
    checker(required<event_statistics> s, context here)
        : of(s),
          stops(here.before<letter>([](letter& l) { return l.pages > 100 ? verdict::stop : verdict::pass; })),
          ends(here.on<bell>([this, here](const bell&) {
            const event_table all = of->table();
            const event_row* const r = all.find(name_of<letter>());
            CHECK(r != nullptr);
            if (r) {
              CHECK_EQ(r->count, 2u);
              CHECK_EQ(r->failed, 1u);
              CHECK_EQ(r->least, 0u);
              CHECK_EQ(r->most, microseconds(7));
            }
            CHECK_EQ(all.find("nothing"), nullptr);
            of->clear();
            CHECK(of->table().rows.empty());
            here.quit();
          })) {}
    required<event_statistics> of;
    registration stops;
    registration ends;
  };
  struct thrower {
    explicit thrower(context here)
        : throws(here.on<letter>([](const letter& l) {
            sim::advance(microseconds(l.pages));
            if (l.pages == 5) throw std::runtime_error("no paper");
          })) {}
    registration throws;
  };
  app.add<checker>();
  app.add<thrower>().may_fail();
  const auto work = [](context here) -> async::task<> {
    here.push(letter{7});
    here.push(letter{200});
    here.push(letter{5});
    here.push(bell{});
    co_return;
  };
  CHECK_EQ(c.run(work(c)), status::ok);
  CHECK_EQ(app.run(), 0);
}
