// SPDX-License-Identifier: MIT
//
// Dependencies on services of another worker: their calls run there and their results come back; a
// failure, a stop, a deadline and the end of the provider reach the caller; dependants start after
// the provider and stop before it.
#include "calls.hpp"

using namespace baton;
using namespace baton::calls_test;

namespace {

/// Runs a script in a coroutine of a service that requires a store on another worker.
struct asker {
  using script = std::function<async::task<>(required<on_worker<store>>&, context)>;
  asker(required<on_worker<store>> s, context c, script play) : from(s) {
    note("asker starts");
    c.spawn(run(*this, c, std::move(play)));
  }
  ~asker() { note("asker stops"); }
  static async::task<> run(asker& a, context c, script play) { co_await play(a.from, c); }
  required<on_worker<store>> from;
};

int run_with(asker::script play, options o = {}) {
  program app(o);
  app.add_worker("io").add<store>();
  app.add<asker>(std::move(play));
  const int code = app.run();
  check(app.told.empty(), app.told.c_str());
  return code;
}

void results_come_back() {
  const int code = run_with([](required<on_worker<store>>& from, context c) -> async::task<> {
    const std::thread::id here = std::this_thread::get_id();
    check(from->worker() == "io", "the provider's worker has a name");
    async::result<int> v = co_await from.call([](store& s) { return s.look(20); });
    check(v && *v == 21, "a value");
    check(std::this_thread::get_id() == here, "the caller goes on at home");
    v = co_await from.call(&store::look_slowly, 30);
    check(v && *v == 31, "a task's value");
    v = co_await from.call([](store& s) -> async::task<int> {
      const status slept = co_await async::sleep_for(1_ms);
      co_return slept == status::ok ? s.look(40) : 0;
    });
    check(v && *v == 41, "a coroutine's value");
    const status s = co_await from.call([](store&) { return status::no_right; });
    check(s == status::no_right, "a status is the call's");
    const async::result<void> nothing = co_await from.call([](store& s) { s.look(0); });
    check(nothing.status() == status::ok, "no value");
    const async::result<int> refused = co_await from.call([](store&) { return async::result<int>(status::full); });
    check(refused.status() == status::full, "a result is the call's");
    auto moved = co_await from.call([](store&, std::unique_ptr<int> p) { return p; }, std::make_unique<int>(5));
    check(moved && **moved == 5, "what can only be moved");
    for (int i = 0; i != 1000; ++i) {
      v = co_await from.call([i](store& s) { return s.look(i); });
      check(v && *v == i + 1, "each of many");
    }
    c.quit();
  });
  check(code == 0, "ended in order");
  check_log("store starts, asker starts, asker stops, store stops");
}

void exceptions_come_back() {
  const int code = run_with([](required<on_worker<store>>& from, context c) -> async::task<> {
    int caught = 0;
    try {
      static_cast<void>(co_await from.call([](store&) -> int { throw std::runtime_error("function"); }));
    } catch (const std::runtime_error& e) {
      caught += std::string(e.what()) == "function" ? 1 : 0;
    }
    try {
      static_cast<void>(co_await from.call([](store& s) -> async::task<int> {
        static_cast<void>(co_await async::sleep_for(1_ms));
        if (s.look(1) == 2) throw std::runtime_error("coroutine");
        co_return 0;
      }));
    } catch (const std::runtime_error& e) {
      caught += std::string(e.what()) == "coroutine" ? 2 : 0;
    }
    check(caught == 3, "an exception is the caller's");
    const async::result<int> v = co_await from.call([](store& s) { return s.look(1); });
    check(v && *v == 2, "and not the provider's");
    c.quit();
  });
  check(code == 0, "ended in order");
  take_log();
}

void a_deadline_ends_a_call() {
  const int code = run_with([](required<on_worker<store>>& from, context c) -> async::task<> {
    const tick begun = port::now();
    const async::result<int> v = co_await async::within(5_ms, from.call([](store& s) { return s.wait_for_ever(); }));
    check(v.status() == status::timed_out, "timed out");
    check(port::now() - begun < seconds(10).ticks(), "in time");
    note("late");
    const async::result<int> next = co_await from.call([](store& s) { return s.look(1); });
    check(next && *next == 2, "the next call is another one");
    c.quit();
  });
  check(code == 0, "ended in order");
  check_log("store starts, asker starts, waits, cancelled, late, asker stops, store stops");
}

/// The stop of the asker reaches the coroutine on the other worker, and waits for it.
void a_stop_ends_a_call() {
  program app;
  app.add_worker("io").add<store>();
  const service_id id = app.add<asker>(asker::script([](required<on_worker<store>>& from, context) -> async::task<> {
    const async::result<int> v = co_await from.call([](store& s) { return s.wait_for_ever(); });
    check(v && *v == -1, "the end of the coroutine is the call's");
    note("back");
  }));
  app.main().spawn([](context c, service_id who) -> async::task<> {
    co_await until("waits");
    c.stop(who);
    static_cast<void>(co_await c.stopped(who));
    note("|");
    c.quit();
  }(app.main(), id));
  check(app.run() == 0, "ended in order");
  check_log("store starts, asker starts, waits, cancelled, back, asker stops, |, store stops");
}

/// A provider that others require stops after them.
void a_required_provider_stops_last() {
  program app;
  const context io = app.add_worker("io");
  const service_id provider = io.add<store>();
  app.add<asker>(asker::script([](required<on_worker<store>>& from, context) -> async::task<> {
    const async::result<int> v = co_await from.call(&store::wait_for_ever);
    note(v ? "value" : "none");
  }));
  app.main().spawn([](application* a, context there, service_id who) -> async::task<> {
    co_await until("waits");
    static_cast<void>(a->post(there, [there, who] { there.remove(who); }));
    co_await until("store stops");
    static_cast<void>(a->post(there, [there] { there.add<store>("next"); }));
    co_await until("waits, cancelled, value, asker stops, store stops, next starts, asker starts, waits");
    a->quit();
  }(&app, io, provider));
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log(
      "store starts, asker starts, waits, cancelled, value, asker stops, store stops, next starts, asker starts, "
      "waits, "
      "cancelled, value, asker stops, next stops");
}

/// Uses what is there, and goes on without.
struct onlooker {
  using script = std::function<async::task<>(optional<on_worker<store>>&, context)>;
  onlooker(optional<on_worker<store>> s, context c, script play) : from(s) { c.spawn(run(*this, c, std::move(play))); }
  static async::task<> run(onlooker& o, context c, script play) { co_await play(o.from, c); }
  void arrived(on_worker<store>&) { note("arrived"); }
  void gone(on_worker<store>&) { note("gone"); }
  optional<on_worker<store>> from;
};

/// A call that is inside goes on while its provider is being replaced or removed.
void a_call_keeps_its_provider() {
  program app;
  const context io = app.add_worker("io");
  const service_id first = io.add<store>("first");
  app.add<onlooker>(onlooker::script([&app, io, first](optional<on_worker<store>>& from, context c) -> async::task<> {
    co_await until("arrived");
    const auto held = from.hold();
    c.spawn([](application* a, context there, service_id old) -> async::task<> {
      co_await until("inside first");
      static_cast<void>(a->post(there, [there] { there.add<store>("second").rank(1); }));
      co_await until("second starts");
      static_cast<void>(a->post(there, [there, old] { there.remove(old); }));
    }(&app, io, first));
    const async::result<int> v = co_await held->call([](store& s) -> async::task<int> {
      note("inside " + s.name);
      co_await until("second starts");
      const status slept = co_await async::sleep_for(20_ms);
      note(slept == status::ok ? "slept" : "woken");
      co_return s.look(1);
    });
    check(v && *v == 2, "the result of the old provider");
    co_await until("first stops");
    const async::result<std::string> name = co_await held->call([](store& s) { return s.name; });
    check(name && *name == "second", "the next call is to the new one");
    c.quit();
  }));
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log("first starts, arrived, inside first, second starts, slept, first stops, gone, second stops");
}

/// A call that does not end is stopped before the limit of its provider's stop; later ones are
/// refused.
void a_provider_that_stops_ends_calls() {
  options o;
  o.step_limit = 400_ms;
  program app(o);
  const context io = app.add_worker("io");
  const service_id provider = io.add<store>();
  app.add<onlooker>(
      onlooker::script([&app, io, provider](optional<on_worker<store>>& from, context c) -> async::task<> {
        co_await until("arrived");
        auto held = from.hold();
        c.spawn([](application* a, context there, service_id who) -> async::task<> {
          co_await until("waits");
          static_cast<void>(a->post(there, [there, who] { there.remove(who); }));
        }(&app, io, provider));
        async::result<int> v = co_await held->call(&store::wait_for_ever);
        check(v.status() == status::peer_gone, "the provider is gone");
        v = co_await held->call(&store::look, 1);
        check(v.status() == status::peer_gone, "no call reaches one that stops");
        note("released");
        held.release();
        co_await until("store stops");
        check(!from, "there is none");
        c.quit();
      }));
  check(app.run() == 0, "ended in order");
  check(app.told.empty(), app.told.c_str());
  check_log("store starts, arrived, waits, gone, cancelled, released, store stops");
}

}  // namespace

int main() {
  a_required_provider_stops_last();
  a_call_keeps_its_provider();
  a_provider_that_stops_ends_calls();
  results_come_back();
  exceptions_come_back();
  a_deadline_ends_a_call();
  a_stop_ends_a_call();
  std::printf("verdict: %s\n", faults == 0 ? "good" : "bad");
  return faults == 0 ? 0 : 1;
}
