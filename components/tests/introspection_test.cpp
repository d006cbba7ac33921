// SPDX-License-Identifier: MIT
#include <baton/components/introspection.hpp>

#include "../../service/tests/program.hpp"

using namespace baton::service;
using namespace baton::components;
using baton::status;
namespace async = baton::async;
namespace testing = baton::service_test;

// A named namespace, because compilers print an unnamed one in different ways.
namespace post {

struct paper {};
struct stapler {};
struct letter {};
struct printer {
  printer(required<paper>, optional<stapler>, many<printer>, context h) : here(h) {}
  void start() {
    here.spawn(hum());
    here.spawn(hum());
  }
  static async::task<> hum() { co_await async::sleep_for(baton::seconds(100)); }
  context here;
};
struct copier : printer {
  using printer::printer;
};
struct missing {};
struct needy {
  explicit needy(required<missing>) {}
};

}  // namespace post

namespace {

/// Reports when the letter comes.
struct reporter {
  reporter(required<introspection> i, context here)
      : hears(here.on<post::letter>([=](const post::letter&) {
          const worker_report all = i->report();
          for (const service_snapshot& s : all.services) {
            std::string line = s.name + "#" + std::to_string(s.id.number) + " " + std::string(name_of(s.phase)) +
                               " coroutines=" + std::to_string(s.coroutines);
            for (const std::string& p : s.interfaces) line += " provides:" + p;
            for (const dependency_snapshot& d : s.dependencies) {
              line += " " + std::string(name_of(d.kind)) + ":" + d.interface + "=";
              for (const std::string& p : d.providers) line += p + ",";
            }
            for (const std::string& d : s.dependants) line += " for:" + d;
            if (s.name != "reporter") testing::note(line + "\n");
          }
          testing::note(all.name + " " + std::to_string(all.waiting_events) + " " + std::to_string(all.handled_events) +
                        " " + std::to_string(all.dropped_events));
          CHECK_EQ(all.find("nobody"), nullptr);
          here.quit();
        })) {}
  registration hears;
};

}  // namespace

TEST_CASE(
    "a report names services, their phases, interfaces, dependencies and dependants, and counts coroutines and "
    "events") {
  options o;
  o.waits_for_providers = true;
  testing::program app(o);
  app.add<introspection>();
  app.add<post::paper>().named("stack");
  app.add<post::copier, post::printer>().named("copier");
  app.add<post::needy>();
  app.add<reporter>().named("reporter");
  const context c = app.main();
  const auto later = [](context here) -> async::task<> {
    co_await async::sleep_for(baton::milliseconds(1));
    for (int i = 0; i != 2; ++i) here.push(post::letter{});
  };
  CHECK_EQ(c.run(later(c)), status::ok);
  CHECK_EQ(app.run(), 0);
  const std::string all = testing::take_log();
  CHECK_EQ(
      all.substr(0, all.find("main 1")),
      "baton::components::introspection#1 active coroutines=0 provides:baton::components::introspection for:reporter\n"
      " stack#2 active coroutines=0 provides:post::paper for:copier\n"
      " copier#3 active coroutines=2 provides:post::printer required:post::paper=stack, optional:post::stapler= "
      "many:post::printer=\n"
      " post::needy#4 waiting coroutines=0 provides:post::needy required:post::missing=\n ");
  CHECK(all.find("main 1 2 0") != std::string::npos);
}

TEST_CASE("a report as JSON has the same members, and its texts are quoted") {
  worker_report r;
  r.name = "a \"worker\"";
  r.waiting_events = 1;
  r.handled_events = 2;
  r.dropped_events = 3;
  r.services.push_back(
      {"clock", {4, 5}, phase::active, {"time"}, {{"battery", need::required, {"cell"}}}, {"alarm", "display"}, 6});
  CHECK_EQ(
      r.json(),
      R"({"name":"a \"worker\"","has_answered":true,"waiting_events":1,"handled_events":2,"dropped_events":3,"services":[{"name":"clock","number":4,)"
      R"("generation":5,"phase":"active","interfaces":["time"],"dependencies":[{"interface":"battery","kind":"required",)"
      R"("providers":["cell"]}],"dependants":["alarm","display"],"coroutines":6}]})");
  CHECK_EQ(worker_report().json(),
           R"({"name":"","has_answered":true,"waiting_events":0,"handled_events":0,"dropped_events":0,"services":[]})");
  CHECK_EQ(program_report{{worker_report()}}.json(), R"({"workers":[)" + worker_report().json() + "]}");
  CHECK_EQ(program_report().json(), R"({"workers":[]})");
}
