// SPDX-License-Identifier: MIT
#include "program.hpp"

using namespace baton;
using namespace baton::service;

namespace shop {

struct logger {};
struct console_logger : logger {};
struct file_logger : logger {};
struct store {
  explicit store(required<logger>) {}
};
struct cart {
  cart(required<store>, context) {}
};
struct b;
struct c;
struct a {
  explicit a(required<b>) {}
};
struct b {
  explicit b(required<c>) {}
};
struct c {
  explicit c(required<a>) {}
};
struct refuses {
  static bool start() { return false; }
};
struct hangs {
  async::task<> start() { static_cast<void>(co_await never.wait()); }
  baton::signal never;
};
struct never_stops {
  async::task<> stop() { static_cast<void>(co_await never.wait()); }
  baton::signal never;
};
struct fails_to_stop {
  void stop() const { throw std::runtime_error("the file is open"); }
};

}  // namespace shop

namespace {

/// Runs a program, and expects that its end takes no longer than `longest`. Returns the exit code.
int run(service_test::program& app, duration longest = {}) {
  const int code = app.run();
  CHECK(port::now() <= longest);
  return code;
}

}  // namespace

TEST_CASE("a missing provider: who needs it, on behalf of whom, and what to do") {
  service_test::program app;
  app.add<shop::cart>();
  app.add<shop::store>();
  CHECK_EQ(run(app), 10);
  CHECK_EQ(
      app.told,
      "2 services cannot start\n"
      "- 'shop::store' requires 'shop::logger', which no service provides: shop::cart -> shop::store -> shop::logger\n"
      "  add one that provides it, or ask for optional<shop::logger>\n"
      "- 'shop::store' requires 'shop::logger', which no service provides: shop::store -> shop::logger\n"
      "  add one that provides it, or ask for optional<shop::logger>\n");
}

TEST_CASE("a cycle, with the whole way") {
  service_test::program app;
  app.add<shop::b>();
  app.add<shop::a>();
  app.add<shop::c>();
  CHECK_EQ(run(app), 11);
  CHECK_EQ(app.told,
           "3 services cannot start\n"
           "- a cycle of services, each of which requires the next: shop::b -> shop::c -> shop::a -> shop::b\n"
           "  make one of them optional<...>, or take it out\n");
}

TEST_CASE("two providers for one that requires one, in whatever order they come") {
  for (const bool first : {true, false}) {
    service_test::program app;
    if (first) app.add<shop::store>().named("the store");
    app.add<shop::console_logger, shop::logger>();
    app.add<shop::file_logger, shop::logger>().named("log");
    if (!first) app.add<shop::store>().named("the store");
    CHECK_EQ(run(app), 12);
    const std::string one = first ? "2" : "1";
    const std::string other = first ? "3" : "2";
    std::string said = "'the store' requires one 'shop::logger', and there are two: 'shop::console_logger' (number ";
    said += one;
    said += ") and 'log' (number ";
    said += other;
    said +=
        ")\n  take one out, give one a rank(...), add it as a stand-by with stopped(), choose by its properties with "
        "where<shop::logger>(...), or ask for many<shop::logger>\n";
    CHECK_EQ(app.told, said);
  }
}

TEST_CASE("a start that fails, by what it says or throws") {
  service_test::program app;
  app.add<shop::refuses>();
  CHECK_EQ(run(app), 13);
  CHECK_EQ(app.told, "'shop::refuses' failed: start() or stop() returned false\n");
}

TEST_CASE("a start that never ends") {
  service_test::program app;
  app.add<shop::hangs>().named("the hanging one");
  CHECK_EQ(run(app, seconds(10)), 14);
  CHECK(app.told.find("the start of 'the hanging one' has not ended after 10 s\n") == 0);
}

TEST_CASE("a stop that fails is told, and the end goes on") {
  service_test::program app;
  app.add<shop::fails_to_stop>();
  app.add<service_test::ender>();
  CHECK_EQ(run(app), 15);
  CHECK_EQ(app.told, "the stop of 'shop::fails_to_stop' failed: the file is open\n");
}

TEST_CASE("a stop that never ends does not keep the program") {
  service_test::program app;
  app.add<shop::never_stops>();
  app.add<service_test::ender>();
  CHECK_EQ(run(app, seconds(30)), 16);
  CHECK(app.told.find("the stop of 'shop::never_stops' has not ended after 10 s\n") == 0);
}

TEST_CASE("who waits for providers that come later says so") {
  options o;
  o.waits_for_providers = true;
  service_test::program app(o);
  app.add<shop::store>();
  const context c = app.main();
  c.run([](context here) -> async::task<> {
    co_await async::sleep_for(seconds(1));
    const service_id l = here.add<shop::console_logger, shop::logger>();
    const status started = co_await here.started(l);
    CHECK_EQ(started, status::ok);
    here.quit();
  }(c));
  CHECK_EQ(run(app, seconds(1)), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("in virtual time a program that nobody quits says so, and its services are gone") {
  struct user {
    explicit user(required<shop::console_logger>) {}
  };
  service_test::program app;
  app.add<shop::console_logger>();
  app.add<user>();
  CHECK_EQ(run(app), 19);
  CHECK_EQ(app.told, "the worker 'main' has no event and no timer left, and no service has quit\n");
}

TEST_CASE(
    "a service that fails after its start is told from one that fails in it, and so is the end of its supervision") {
  struct late {
    explicit late(context c) : here(c) {}
    void start() const { here.spawn(fail_later()); }
    static async::task<> fail_later() {
      co_await async::sleep_for(milliseconds(1));
      throw std::runtime_error("worn out");
    }
    context here;
  };
  for (const bool supervised : {false, true}) {
    service_test::program app;
    added a = app.add<late>();
    if (supervised) a.supervised({milliseconds(1), milliseconds(2), 2});
    CHECK_EQ(run(app, milliseconds(10)), 17);
    CHECK(app.told.find("late' failed: worn out\n") != std::string::npos);
  }
}
