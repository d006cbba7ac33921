// SPDX-License-Identifier: MIT
#include <baton/async/essentials.hpp>
#include <baton/service/program_events.hpp>
#include <baton/test/check.hpp>

#include "program.hpp"

using namespace baton::literals;
using namespace baton::service_test;

namespace {

struct database {
  baton::async::task<> start() {
    note("database begins");
    static_cast<void>(co_await baton::async::sleep_for(50_ms));
    note("database");
  }
  void stop() { note("database stops"); }
};

/// Listens to the program's own events; it starts before the database, and stops behind it.
struct listener {
  explicit listener(context here)
      : started(here.on<program_started>([here](const program_started&) {
          note("started");
          here.quit();
        })),
        ending(here.on<program_ending>([](const program_ending&) -> baton::async::task<> {
          note("ending");
          static_cast<void>(co_await baton::async::sleep_for(1_ms));
          note("handled");
        })) {}
  void stop() { note("listener stops"); }
  registration started;
  registration ending;
};

struct needs_nobody {
  explicit needs_nobody(required<struct nobody>) {}
};
struct nobody {};

}  // namespace

TEST_CASE("a program tells when all have started, slow ones included, and that it ends, before any stop") {
  program app;
  app.add<listener>();
  app.add<database>();
  CHECK(app.run() == 0);
  CHECK(take_log() == "database begins database started ending handled database stops listener stops");
}

TEST_CASE("a handler of the end that takes too long is left behind, and the services stop") {
  options o;
  o.ending_limit = 500_us;
  program app(o);
  app.add<listener>();
  app.add<database>();
  CHECK(app.run() == 0);
  CHECK(take_log() == "database begins database started ending database stops handled listener stops");
}

TEST_CASE("a program whose services cannot start stops at once: no event") {
  program app;
  app.add<listener>();
  app.add<needs_nobody>();
  CHECK(app.run() == 10);
  CHECK(take_log() == "listener stops");
}

TEST_CASE("providers may come later: the start is that of what can start") {
  program app({.waits_for_providers = true});
  app.add<listener>();
  app.add<needs_nobody>();
  CHECK(app.run() == 0);
  CHECK(take_log() == "started ending handled listener stops");
}

TEST_CASE("nobody listens: no event is pushed") {
  program app;
  app.add<ender>();
  CHECK(app.run() == 0);
  CHECK(app.handled_events() == 1);
}
