// SPDX-License-Identifier: MIT
//
// Services that another one makes: their arguments, their life, and what ends them.
#include <baton/service/provider.hpp>
#include <memory>

#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace bank {

struct ledger {
  ledger() { note("ledger+"); }
  ~ledger() { note("ledger-"); }
  int lines = 0;
};
struct session {
  virtual ~session() = default;
  virtual int pay(int amount) = 0;
  virtual async::task<int> pay_later(int amount) = 0;
};
/// Has a dependency, a context, and two arguments of which one can only be moved.
struct till : session {
  till(required<ledger> l, context here, std::unique_ptr<int> cash, std::string name)
      : ledger_(l), here_(here), cash_(std::move(cash)), name_(std::move(name)) {
    note(name_ + "+");
  }
  ~till() override { note(name_ + "-"); }
  async::task<> stop() {
    note(name_ + " closes");
    co_await async::sleep_for(milliseconds(1));
  }
  int pay(int amount) override {
    ++ledger_->lines;
    return *cash_ -= amount;
  }
  async::task<int> pay_later(int amount) override {
    note(name_ + " waits");
    co_await async::sleep_for(milliseconds(10));
    co_return pay(amount);
  }

  required<ledger> ledger_;
  context here_;
  std::unique_ptr<int> cash_;
  std::string name_;
};
using tills = provider<session, std::unique_ptr<int>, std::string>;

/// Fails as it is told: 1 in its constructor, 2 in its start, 3 in a start that is a coroutine.
struct broken {
  explicit broken(int how) : how_(how) {
    if (how == 1) throw std::runtime_error("no cash");
  }
  async::task<> start() const {
    if (how_ == 2) throw std::runtime_error("no key");
    co_await async::sleep_for(milliseconds(5));
    if (how_ == 3) throw std::runtime_error("no light");
  }
  int how_;
};

template <typename Provider>
struct office {
  office(Provider p, context here) : make(std::move(p)), at(here) {}
  Provider make;
  context at;
};

}  // namespace bank

namespace {

using bank::tills;
using tills_office = bank::office<tills>;

std::unique_ptr<int> cash(int amount) {
  return std::make_unique<int>(amount);
}

/// Runs `body(office&, context)` in a service that has such a provider.
template <typename Provider, typename Body>
struct user {
  user(Provider p, context here, Body b) : office{std::move(p), here}, body(std::move(b)) {}
  void start() {
    office.at.spawn([](user& u) -> async::task<> {
      co_await u.body(u.office.make, u.office.at);
      u.office.at.quit();
    }(*this));
  }
  bank::office<Provider> office;
  Body body;
};

template <typename Provider, typename Body>
int run(service_test::program& app, Body body) {
  app.add<user<Provider, Body>>(body).named("user");
  return app.run();
}

template <typename Body>
int run_tills(service_test::program& app, Body body) {
  app.add<bank::ledger>();
  app.add_maker<bank::till, bank::session, std::unique_ptr<int>, std::string>();
  return run<tills>(app, body);
}

}  // namespace

TEST_CASE("a service is made from what it is given, with its dependencies, and goes with its handle") {
  service_test::program app;
  const int code = run_tills(app, [](const tills& t, context) -> async::task<> {
    {
      auto one = co_await t.make(cash(10), "one");
      CHECK(one);
      auto two = co_await t.make(cash(20), "two");
      CHECK(two);
      CHECK_EQ(one->pay(3), 7);
      CHECK_EQ(two->pay(3), 17);
      two = std::move(one);
      CHECK_EQ(two->pay(1), 6);
      CHECK(one);  // a move swaps
      one.end();
      CHECK(!one);
      CHECK(!one.hold());
      one.end();
      const int later = co_await two->pay_later(1);
      CHECK_EQ(later, 5);
    }
    note("left");
    co_await async::sleep_for(milliseconds(5));
    note("gone");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "ledger+ one+ two+ one waits two closes two- left one closes one- gone ledger-");
}

TEST_CASE("a service that cannot be made throws at its maker, and the program goes on") {
  service_test::program app;
  app.add_maker<bank::broken, bank::broken, int>();
  std::string said;
  const int code = run<provider<bank::broken, int>>(app, [&](const auto& p, context) -> async::task<> {
    for (int how = 1; how <= 3; ++how) {
      try {
        auto b = co_await p.make(how);
        CHECK(!b);
      } catch (const std::runtime_error& e) {
        said += std::string(e.what()) + ", ";
      }
    }
    auto b = co_await p.make(4);
    CHECK(b);
    CHECK_EQ(b->how_, 4);
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(said, "no cash, no key, no light, ");
}

TEST_CASE("a wait for a service that was stopped, or whose time is up, leaves nothing behind") {
  service_test::program app;
  app.add_maker<bank::broken, bank::broken, int>();
  const int code = run<provider<bank::broken, int>>(app, [&](const auto& p, context here) -> async::task<> {
    const auto services = [&] { return here.worker().snapshot().services.size(); };
    const size_t before = services();
    {
      auto late = co_await async::within(milliseconds(2), p.make(0));
      CHECK(!late);
    }
    static_cast<void>(p.make(0));  // never awaited
    co_await async::sleep_for(milliseconds(20));
    CHECK_EQ(services(), before);
  });
  CHECK_EQ(code, 0);
}

TEST_CASE("a made service stops before what it requires, waits for who is inside, and does not start again") {
  service_test::program app;
  const service_id ledger = app.add<bank::ledger>();
  app.add_maker<bank::till, bank::session, std::unique_ptr<int>, std::string>();
  const int code = run<tills>(app, [=](const tills& t, context here) -> async::task<> {
    auto one = co_await t.make(cash(10), "one");
    CHECK(one);
    here.spawn([](context c, service_id s) -> async::task<> {
      co_await async::sleep_for(milliseconds(1));
      note("stop");
      c.stop(s);
    }(here, ledger));
    const int left = co_await one->pay_later(1);
    CHECK_EQ(left, 9);
    co_await async::sleep_for(milliseconds(5));
    CHECK(!one);
    here.start(ledger);
    co_await async::sleep_for(milliseconds(5));
    CHECK(!one);
    CHECK_EQ(here.failure_of(one.id()), "");
    here.start(one.id());  // by hand: it is a failure, which is told
    co_await async::sleep_for(milliseconds(5));
    CHECK(!one);
    CHECK_EQ(here.failure_of(one.id()), "it was added for one start, which has been");
    auto two = co_await t.make(cash(1), "two");
    CHECK(two);
    CHECK_EQ(two->pay(1), 0);
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "ledger+ one+ one waits stop one closes one- ledger- ledger+ two+ two closes two- ledger-");
}

TEST_CASE("the end of the program, and of the service that has the handles, ends what was made") {
  service_test::program app;
  struct keeper {
    keeper(tills t, context here) : make(t), at(here) { note("keeper+"); }
    ~keeper() { note("keeper-"); }
    async::task<> start() {
      mine = co_await make.make(cash(1), "mine");
      at.spawn([](context c) -> async::task<> {
        co_await async::sleep_for(milliseconds(3));
        c.remove(c.id());
      }(at));
    }
    tills make;
    context at;
    made<bank::session> mine;
  };
  app.add<keeper>();
  const int code = run_tills(app, [](const tills& t, context) -> async::task<> {
    auto one = co_await t.make(cash(1), "one");
    co_await async::sleep_for(milliseconds(10));
    note("quits");
  });
  CHECK_EQ(code, 0);
  CHECK_EQ(take_log(), "ledger+ keeper+ one+ mine+ keeper- mine closes mine- quits one closes one- ledger-");
}

TEST_CASE("properties and filters of a maker are those of what it makes") {
  struct named_ledger {
    explicit named_ledger(context here) : name(here.name()) {}
    std::string name;
  };
  struct clerk {
    clerk(required<named_ledger> l, context here, int n)
        : text(l->name + here.properties().get_or<std::string>("desk", "?") + std::to_string(n)) {}
    std::string text;
  };
  service_test::program app;
  app.add<named_ledger>().named("red").with("colour", "red");
  app.add<named_ledger>().named("blue").with("colour", "blue");
  app.add_maker<clerk, clerk, int>().with("desk", "left").where<named_ledger>([](const properties& p) {
    return p.get_or<std::string>("colour", "") == "blue";
  });
  const int code = run<provider<clerk, int>>(app, [](const auto& p, context) -> async::task<> {
    auto c = co_await p.make(7);
    CHECK(c);
    CHECK_EQ(c->text, "blueleft7");
  });
  CHECK_EQ(code, 0);
}

TEST_CASE("a provider without a maker is a missing provider") {
  service_test::program app;
  app.add<tills_office>();
  const std::vector<mistake> found = app.check();
  CHECK_EQ(found.size(), 1u);
  CHECK(found.front().code == exit_code::missing_provider);
  const std::string remedy = "add_maker<Class, bank::session, std::unique_ptr<int>, std::string>()";
  CHECK_EQ(found.front().text.substr(found.front().text.size() - remedy.size()), remedy);
  app.add<bank::ledger>();
  app.add_maker<bank::till, bank::session, std::unique_ptr<int>, std::string>();
  CHECK(app.check().empty());
}
