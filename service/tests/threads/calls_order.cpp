// SPDX-License-Identifier: MIT
//
// Dependencies on services of other workers: which provider they get, what they wait for, and the
// order in which both sides end.
#include <baton/async/shield.hpp>
#include <baton/service/program_events.hpp>

#include "calls.hpp"

using namespace baton;
using namespace baton::calls_test;

namespace {

/// Asks each of its providers for the name of the store, and ends the program.
struct census {
  census(required<on_worker<store>> any, required<on_worker<store>, "two"> second, many<on_worker<store>> all,
         context c)
      : first_(any), second_(second), all_(all) {
    c.spawn(run(*this, c));
  }
  static async::task<std::string> name_from(on_worker<store>& from) {
    const async::result<std::string> name = co_await from.call([](store& s) { return s.name; });
    co_return name ? std::string(from.worker()) + ":" + *name : "none";
  }
  static async::task<> run(census& self, context c) {
    note(co_await name_from(*self.first_));
    note(co_await name_from(*self.second_));
    std::string all;
    for (const auto& one : self.all_.hold()) {
      const std::string name = co_await name_from(*one);
      const bool is_first = all.empty() || name < all;
      std::string both = is_first ? name : all;
      both += '+';
      both += is_first ? all : name;
      all = std::move(both);
    }
    note(all);
    c.quit();
  }
  required<on_worker<store>> first_;
  required<on_worker<store>, "two"> second_;
  many<on_worker<store>> all_;
};

struct watcher {
  explicit watcher(many<on_worker<store>>) {}
  void arrived(const on_worker<store>& from) { note("sees " + std::string(from.worker())); }
};

void a_worker_is_chosen_by_its_name() {
  program app;
  app.add<store>("here");  // not on another worker
  app.add<watcher>();
  const context one = app.add_worker("one");
  app.add_worker("two").add<store>("b");
  // The one that is preferred comes last.
  app.main().spawn([](application* a, context c, context there) -> async::task<> {
    co_await until("sees two");
    static_cast<void>(a->post(there, [there] { there.add<store>("a"); }));
    co_await until("sees one");
    c.add<census>();
  }(&app, app.main(), one));
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  const std::string got = take_log();
  check(got.find("sees one, one:a, two:b, one:a+two:b+") != std::string::npos, got.c_str());
}

/// A service that requires a store of another worker, and notes its life.
struct dependant {
  dependant(required<on_worker<store>>, context, const char* n) : name(n) { note(name + " starts"); }
  ~dependant() { note(name + " stops"); }
  std::string name;
};

void a_dependant_waits_for_its_provider() {
  options o;
  o.step_limit = 10_s;
  program app(o);
  const context io = app.add_worker("io");
  app.add<dependant>("dependant");
  const registration begun = app.main().on<program_started>([](const program_started&) { note("started"); });
  app.main().spawn([](application* a, context there) -> async::task<> {
    const status slept = co_await async::sleep_for(20_ms);
    check(slept == status::ok, "slept");
    note("|");
    static_cast<void>(a->post(there, [there] { there.add<store>(); }));
    co_await until("started");
    a->quit();
  }(&app, io));
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log("|, store starts, dependant starts, started, dependant stops, store stops");
}

void a_provider_that_does_not_come_is_told() {
  options o;
  o.step_limit = 30_ms;
  program app(o);
  app.add_worker("io");
  app.add<dependant>("dependant");
  check(app.run() == static_cast<int>(exit_code::missing_provider), "the exit code of the mistake");
  check(app.told.find("dependant' requires '") != std::string::npos, "the one that lacks it");
  check(app.told.find("store>', and no other worker has started one within 30 ms") != std::string::npos, "the lack");
  check_log("");
}

void a_program_with_one_worker_has_no_other() {
  program app;
  app.add<store>();
  app.add<dependant>("dependant");
  check(app.run() == static_cast<int>(exit_code::missing_provider), "the exit code of the mistake");
  check(app.told.find("which no service provides") != std::string::npos, "at once");
  take_log();
}

/// Answers one more request when the program ends, with the help of a store of another worker.
struct late_asker {
  late_asker(required<on_worker<store>> s, context c)
      : from(s),
        ending(c.on<program_ending>([this](const program_ending&) { return ask(); })),
        begun(c.on<program_started>([c](const program_started&) { c.quit(); })) {}
  ~late_asker() { note("asker stops"); }
  async::task<> ask() {
    const status slept = co_await async::sleep_for(30_ms);
    note(slept == status::ok ? "asks" : "is stopped");
    const async::result<int> v = co_await from.call([](store& s) { return s.look(20); });
    note(v ? std::to_string(*v) : "no answer");
  }
  required<on_worker<store>> from;
  registration ending;
  registration begun;
};

void the_services_of_all_workers_stay_until_all_have_taken_leave() {
  program app;
  app.add_worker("io").add<store>();
  app.add_worker("idle");
  app.add<late_asker>();
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log("store starts, asks, 21, asker stops, store stops");
}

/// Keeps its worker from hearing the end until the other one has stopped.
struct busy {
  explicit busy(context c)
      : begun(c.on<program_started>([](const program_started&) {
          note("busy");
          for (int i = 0; i != 10000 && !has_noted("quitter stops"); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          note("free");
        })) {}
  registration begun;
};
struct quitter {
  explicit quitter(context c) {
    c.spawn([](context here) -> async::task<> {
      co_await until("busy");
      here.quit();
    }(c));
  }
  ~quitter() { note("quitter stops"); }
};

void a_worker_that_is_stuck_is_waited_for_until_the_limit() {
  options o;
  o.shutdown_limit = 50_ms;
  program app(o);
  app.add_worker("io").add<busy>();
  app.add<quitter>();
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log("busy, quitter stops, free");
}

struct other_store : store {
  explicit other_store(context c) : store(c, "other store") {}
};
struct other_dependant {
  other_dependant(required<on_worker<other_store>>, context c) {
    note("other dependant starts");
    c.spawn([](context here) -> async::task<> {
      co_await until(", dependant starts");
      here.quit();
    }(c));
  }
  ~other_dependant() { note("other dependant stops"); }
};

/// Each worker requires a service of the other one: all dependants stop before all their providers.
void two_workers_need_each_other() {
  program app;
  const context io = app.add_worker("io");
  app.add<other_store>();
  io.add<store>();
  app.add<dependant>("dependant");
  io.add<other_dependant>();
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  const std::string got = take_log();
  check(got.find("other dependant stops") < got.find("other store stops"), got.c_str());
  check(got.find(", dependant stops") < got.find(", store stops"), got.c_str());
}

/// Calls a coroutine that does not end when it is stopped.
struct deaf_asker {
  using body = async::task<int> (*)(store&);
  deaf_asker(required<on_worker<store>> s, context c, body b) : from(s) { c.spawn(run(*this, b)); }
  static async::task<> run(deaf_asker& a, body b) {
    const async::result<int> v = co_await a.from.call(b);
    check(v.status() == status::peer_gone, "there is no result");
    note("back");
  }
  required<on_worker<store>> from;
};

std::string run_deaf(deaf_asker::body b, exit_code expected) {
  options o;
  o.step_limit = 100_ms;
  o.shutdown_limit = 300_ms;
  program app(o);
  app.add_worker("io").add<store>();
  app.add<deaf_asker>(b);
  app.main().spawn([](context c) -> async::task<> {
    co_await until("waits");
    c.quit();
  }(app.main()));
  const tick begun = port::now();
  check(app.run() == static_cast<int>(expected), "the exit code");
  check(port::now() - begun < seconds(20).ticks(), "within its limits");
  return app.told;
}

/// The coroutine waits again whatever the status is. It alone is destroyed; its caller goes on.
void a_coroutine_that_ignores_its_stop_is_destroyed() {
  const std::string told = run_deaf(
      [](store&) -> async::task<int> {
        note("waits");
        while (!has_noted("never")) static_cast<void>(co_await async::sleep_for(1_ms));
        co_return 0;
      },
      exit_code::success);
  check(told.empty(), told.c_str());
  check_log("store starts, waits, back, store stops");
}

/// A stop does not reach the coroutine: the limits of the program do.
void a_coroutine_that_no_stop_reaches_ends_with_the_program() {
  const std::string told = run_deaf(
      [](store&) -> async::task<int> {
        note("waits");
        static_cast<void>(co_await async::shield(100_s, async::sleep_for(100_s)));
        co_return 0;
      },
      exit_code::stop_never_ended);
  check(told.find("deaf_asker") != std::string::npos || told.find("calls from main") != std::string::npos,
        told.c_str());
  take_log();
}

}  // namespace

int main() {
  a_worker_is_chosen_by_its_name();
  a_dependant_waits_for_its_provider();
  a_provider_that_does_not_come_is_told();
  a_program_with_one_worker_has_no_other();
  the_services_of_all_workers_stay_until_all_have_taken_leave();
  a_worker_that_is_stuck_is_waited_for_until_the_limit();
  two_workers_need_each_other();
  a_coroutine_that_ignores_its_stop_is_destroyed();
  a_coroutine_that_no_stop_reaches_ends_with_the_program();
  std::printf("verdict: %s\n", faults == 0 ? "good" : "bad");
  return faults == 0 ? 0 : 1;
}
