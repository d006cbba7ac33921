// SPDX-License-Identifier: MIT
#include <baton/kernel/supervisor.hpp>
#include <program.hpp>

// A supervisor restarts tasks that have ended, as it was told.

using namespace baton;
using kernel::ending;
using kernel::restart_scope;
using kernel::restart_when;
using test::ms;
using test::program;

namespace {

/// The tasks of a supervisor, whose stacks outlive a restart.
struct team {
  static constexpr int most = 3;

  struct member {
    team* of;
    const char* name;
    std::function<void()> body;
    kernel::stack<65536> stack;
    int begun;
  };

  /// Describes a task of this body, which is less urgent than the supervisor.
  kernel::task_description describe(const char* name, std::function<void()> body, kernel::priority priority = 3) {
    member& m = *members[used];
    m.of = this;
    m.name = name;
    m.body = std::move(body);
    ++used;
    return kernel::describe(priority, &begin, m.stack, name, &m);
  }

  static void begin(void* p) {
    member& m = *static_cast<member*>(p);
    ++m.begun;
    m.of->p->mark("begins");
    m.body();
  }

  explicit team(program& of) : p(&of) {
    for (auto& m : members) m.reset(new member{});
  }

  program* p;
  int used = 0;
  std::unique_ptr<member> members[most];
};

/// A fault that the kernel finds at the next wait.
void overflow(program& p) {
  *p.system.running->stack = 0;
  kernel::yield();
  kernel::sleep(ms(1));
}

/// A supervisor's task at priority 5, and whether its supervisor has not given up.
void supervise(program& p, const std::function<bool()>& body) {
  p.task("supervisor", 5, [&p, body] { p.mark(body() ? "has none left" : "has given up"); });
}

const char* how(ending e) {
  return e == ending::exited ? "exited" : e == ending::killed ? "killed" : "failed";
}

program* heard_by;
void hear(const kernel::end_report& r) {
  heard_by->mark(std::string("hears: ") + r.name + " " + how(r.how));
}

constexpr kernel::restart_limits quick(uint8_t most) {
  return {most, ms(1000), ms(10), ms(40)};
}

}  // namespace

TEST_CASE("a task that fails is restarted after the delay, one that exits is not, each as it was told") {
  program p;
  p.system.on_fault = nullptr;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  heard_by = &p;
  int left = 2;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(5)};
    s.on_end(&hear);
    const auto fails = [&] {
      if (left-- > 0) overflow(p);
    };
    s.add(of.describe("a", fails), restart_when::on_failure);
    s.add(of.describe("b", [] {}), restart_when::on_failure);
    return s.run();
  });
  p.run();
  CHECK_LOG(p, "a begins", "supervisor hears: a failed", "b begins", "supervisor hears: b exited", "at 10 ms",
            "a begins", "supervisor hears: a failed", "at 30 ms", "a begins", "supervisor hears: a exited",
            "supervisor has none left", "supervisor ends");
}

TEST_CASE("a task that exits is restarted always, until the restarts are too many") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(3)};
    s.add(of.describe("a", [] {}), restart_when::always);
    s.add(of.describe("lives", [] { kernel::sleep(ms(60000)); }), restart_when::always);
    return s.run();
  });
  p.run();
  CHECK_LOG(p, "a begins", "lives begins", "at 10 ms", "a begins", "at 30 ms", "a begins", "at 70 ms", "a begins",
            "supervisor has given up", "supervisor ends");
  kernel::task_report r;
  for (uint8_t slot = 0; slot < 16; ++slot) {
    kernel::report(p.system, p.system.table[slot], r);
    CHECK(r.id == kernel::no_task);
  }
}

TEST_CASE("restarts of a period that is over do not count, and the delay is short again") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  int runs = 0;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(2)};
    s.add(of.describe("a",
                      [&] {
                        if (++runs < 5) kernel::sleep(ms(2000));
                      }),
          restart_when::always);
    return s.run();
  });
  p.run();
  CHECK_LOG(p, "a begins", "at 2010 ms", "a begins", "at 4020 ms", "a begins", "at 6030 ms", "a begins", "at 8040 ms",
            "a begins", "at 8060 ms", "a begins", "supervisor has given up", "supervisor ends");
}

TEST_CASE("a supervisor of all ends the others, and restarts all in their order") {
  program p;
  p.system.on_fault = nullptr;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  heard_by = &p;
  bool fails = true;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::all, quick(5)};
    s.on_end(&hear);
    s.add(of.describe("a", [] { kernel::sleep(ms(100)); }), restart_when::never);
    s.add(of.describe("b",
                      [&] {
                        kernel::sleep(ms(1));
                        if (fails) {
                          fails = false;
                          overflow(p);
                        }
                      }),
          restart_when::on_failure);
    s.add(of.describe("c", [] { kernel::sleep(ms(100)); }), restart_when::never);
    return s.run();
  });
  p.run();
  CHECK_LOG(p, "a begins", "b begins", "c begins", "at 1 ms", "supervisor hears: b failed", "at 11 ms", "a begins",
            "b begins", "c begins", "at 12 ms", "supervisor hears: b exited", "at 111 ms", "supervisor hears: a exited",
            "supervisor hears: c exited", "supervisor has none left", "supervisor ends");
}

TEST_CASE("a task that sends no heartbeat in time is ended and restarted") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  heard_by = &p;
  int runs = 0;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(5)};
    s.on_end(&hear);
    const auto body = [&] {
      const int signs = ++runs == 1 ? 3 : 0;
      for (int i = 0; i < signs; ++i) {
        kernel::sleep(ms(8));
        kernel::send_heartbeat(kernel::parent(), 0);
      }
      if (runs == 1) kernel::sleep(ms(60000));
    };
    s.add(of.describe("a", body), restart_when::on_failure, ms(10));
    return s.run();
  });
  p.run();
  CHECK_LOG(p, "a begins", "at 34 ms", "supervisor hears: a killed", "at 44 ms", "a begins",
            "supervisor hears: a exited", "supervisor has none left", "supervisor ends");
}

TEST_CASE("a watchdog is fed in time until the supervisor gives up") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  static tick last;
  static tick longest;
  static int fed;
  last = longest = 0;
  fed = 0;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(1)};
    s.feed_watchdog(
        [] {
          const tick gap = port::now() - last;
          if (gap > longest) longest = gap;
          last = port::now();
          ++fed;
        },
        ms(20));
    s.add(of.describe("a", [] { kernel::sleep(ms(300)); }), restart_when::always);
    return s.run();
  });
  p.run();
  CHECK(longest <= tick{ms(20)});
  CHECK(fed >= 30);
  CHECK(last <= tick{ms(310 + 300)});
}

TEST_CASE("a task that cannot be made counts as one that fails, and the reason is there") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  supervise(p, [&] {
    kernel::supervisor<1> s{restart_scope::one, quick(2)};
    kernel::task_description d = of.describe("a", [] {});
    d.priority = 200;
    s.add(d, restart_when::always);
    const bool is_good = s.run();
    CHECK(s.why() == kernel::error::bad_priority);
    return is_good;
  });
  p.run();
  CHECK_LOG(p, "at 30 ms", "supervisor has given up", "supervisor ends");
}

TEST_CASE("an end whose report was lost is heard of") {
  program p;
  kernel::end_reports<1> reports{p.system};
  team of(p);
  int begun[3] = {};
  kernel::supervisor<3>* supervisor = nullptr;
  supervise(p, [&] {
    kernel::supervisor<3> s{restart_scope::one, quick(9)};
    supervisor = &s;
    s.on_end([](const kernel::end_report&) { kernel::sleep(ms(5)); });  // the others end meanwhile
    for (int& times : begun) {
      const auto body = [&times] {
        if (++times == 1) kernel::sleep(ms(60000));
      };
      s.add(of.describe("a", body), restart_when::on_failure);
    }
    return s.run();
  });
  p.task("killer", 4, [&] {
    kernel::sleep(ms(1));
    for (uint8_t place = 0; place < 3; ++place) kernel::kill(supervisor->id_of(place));
  });
  p.run();
  for (const int times : begun) CHECK(times == 2);
}

TEST_CASE("a supervisor without end_reports, or with more tasks than places, says so") {
  program p;
  team of(p);
  supervise(p, [&] {
    kernel::supervisor<1> s{restart_scope::one};
    s.add(of.describe("a", [] {}), restart_when::always);
    const bool is_good = s.run();
    CHECK(s.why() == kernel::error::bad_call);
    return is_good;
  });
  p.run();
  CHECK_LOG(p, "supervisor has given up", "supervisor ends");
  kernel::end_reports<1> reports{p.system};
  supervise(p, [&] {
    kernel::supervisor<1> s{restart_scope::one};
    CHECK(s.add(of.describe("b", [] {}), restart_when::always) == 0);
    CHECK(s.add(of.describe("c", [] {}), restart_when::always) == kernel::supervisor<1>::no_place);
    const bool is_good = s.run();
    CHECK(s.why() == kernel::error::table_full);
    return is_good;
  });
  p.run();
  CHECK_LOG(p, "supervisor has given up", "supervisor ends");
}

TEST_CASE("a supervisor that gives up is restarted by its own supervisor") {
  program p;
  kernel::end_reports<4> reports{p.system};
  team of(p);
  heard_by = &p;
  supervise(p, [&] {
    kernel::supervisor<1> outer{restart_scope::one, quick(1)};
    outer.on_end(&hear);
    const auto inner = [&] {
      kernel::supervisor<1> s{restart_scope::one, quick(1)};
      s.add(of.describe("leaf", [] {}, 2), restart_when::always);
      if (!s.run()) kernel::kill(kernel::my_tid());
    };
    outer.add(of.describe("inner", inner, 4), restart_when::on_failure);
    return outer.run();
  });
  p.run();
  CHECK_LOG(p, "inner begins", "leaf begins", "at 10 ms", "leaf begins", "supervisor hears: inner killed", "at 20 ms",
            "inner begins", "leaf begins", "at 30 ms", "leaf begins", "supervisor hears: inner killed",
            "supervisor has given up", "supervisor ends");
}

TEST_CASE("restart ends a task that lives, and gives it another id") {
  program p;
  team of(p);
  p.task("maker", 5, [&] {
    const kernel::task_description d = of.describe("a", [] { kernel::sleep(ms(5)); });
    const kernel::tid first = kernel::create(d).id;
    const kernel::created second = kernel::restart(first, d);
    CHECK(second);
    CHECK(second.id != first);
    CHECK(kernel::notify(first, 1).why() == kernel::error::bad_task);
  });
  p.run();
  CHECK(of.members[0]->begun == 1);
}
