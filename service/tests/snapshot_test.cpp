// SPDX-License-Identifier: MIT
#include "program.hpp"

using namespace baton;
using namespace baton::service;

// Not in an unnamed namespace, whose name each compiler has its own for.
namespace farm {

struct well {};
struct mill {};
struct grain {};
struct field {
  field(required<well>, optional<mill>, many<field>, context h) : here(h) {}
  void start() {
    here.spawn(grow());
    here.spawn(grow());
  }
  static async::task<> grow() { co_await async::sleep_for(seconds(100)); }
  context here;
};
struct meadow : field {
  using field::field;
};
struct missing {};
struct needy {
  explicit needy(required<missing>) {}
};

}  // namespace farm

namespace {

std::string text_of(const service_snapshot& s) {
  std::string text = s.name + "#" + std::to_string(s.id.number) + " " + std::string(name_of(s.phase)) + " " +
                     std::to_string(s.coroutines);
  for (const std::string& i : s.interfaces) text += " provides " + i;
  for (const dependency_snapshot& d : s.dependencies) {
    text += " " + std::string(name_of(d.kind)) + " " + d.interface + ":";
    for (const std::string& p : d.providers) text += " " + p;
  }
  for (const std::string& d : s.dependants) text += " for " + d;
  return text;
}

}  // namespace

TEST_CASE("a snapshot has the services of a worker, what they need and whom they serve, and the worker's events") {
  options o;
  o.waits_for_providers = true;
  service_test::program app(o);
  app.add<farm::well>().named("well");
  app.add<farm::meadow, farm::field>().named("meadow");
  app.add<farm::needy>().named("needy");
  const context main = app.main();
  worker_snapshot seen;
  const auto look = [&]() -> async::task<> {
    co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(main.push(farm::grain{}), status::ok);
    CHECK_EQ(main.run([&] { seen = main.worker().snapshot(); }, priority::lowest), status::ok);
    for (int i = 0; i != 2; ++i) CHECK_EQ(main.push(farm::grain{}, priority::lowest), status::ok);
    CHECK_EQ(main.run([&] { main.quit(); }, priority::lowest), status::ok);
  };
  main.spawn(look());
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(seen.name, "main");
  CHECK_EQ(seen.waiting_events, 3u);
  CHECK_EQ(seen.dropped_events, 0u);
  CHECK_EQ(seen.handled_events, 2u);  // with the one that looks
  CHECK_EQ(seen.services.size(), 3u);
  if (seen.services.size() != 3) return;
  CHECK_EQ(text_of(seen.services[0]), "well#1 active 0 provides farm::well for meadow");
  CHECK_EQ(text_of(seen.services[1]),
           "meadow#2 active 2 provides farm::field required farm::well: well optional farm::mill: many farm::field:");
  CHECK_EQ(text_of(seen.services[2]), "needy#3 waiting 0 provides farm::needy required farm::missing:");
  CHECK_EQ(seen.find("needy"), &seen.services[2]);
  CHECK_EQ(seen.find("nobody"), nullptr);
}

TEST_CASE("before the program runs, services are fresh") {
  service_test::program app;
  app.add<farm::well>().named("well");
  const worker_snapshot seen = app.main().worker().snapshot();
  CHECK_EQ(seen.services.size(), 1u);
  if (seen.services.size() != 1) return;
  CHECK_EQ(text_of(seen.services[0]), "well#1 fresh 0 provides farm::well");
}

TEST_CASE("a handle names its worker, and what is posted by it comes in turn") {
  service_test::program app;
  const context main = app.main();
  const context other = app.add_worker("other");
  CHECK_EQ(main.worker().name(), "main");
  CHECK_EQ(other.worker().name(), "other");
  CHECK((main.worker() == app.main().worker() && main.worker() != other.worker()));
  std::string names;
  app.visit_workers([&](worker_handle w) { names += std::string(w.name()) + " "; });
  CHECK_EQ(names, "main other ");
}

TEST_CASE("a handle posts events and functions, and a worker that has ended refuses them") {
  service_test::program app;
  const worker_handle main = app.main().worker();
  const registration hears = app.main().on<farm::grain>([](const farm::grain&) { service_test::note("grain"); });
  CHECK_EQ(main.post([] { service_test::note("last"); }, priority::low), status::ok);
  CHECK_EQ(main.post(farm::grain{}), status::ok);
  CHECK_EQ(main.post([&] { app.quit(); }, priority::lowest), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(service_test::take_log(), "grain last");
  CHECK_EQ(main.post(farm::grain{}), status::closed);
}
