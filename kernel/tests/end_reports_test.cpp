// SPDX-License-Identifier: MIT
#include <baton/kernel/end_reports.hpp>
#include <program.hpp>

// The maker of a task is told how it has ended.

using namespace baton;
using kernel::ending;
using kernel::error;
using test::ms;
using test::program;

namespace {

/// Logs the reports that are there: `name how`, and how many were lost before.
void log_reports(program& p) {
  static const char* const how[] = {"exited", "killed", "failed"};
  kernel::end_report r;
  while (kernel::take_end_report(r)) {
    std::string line = std::string(r.name) + " " + how[static_cast<int>(r.how)];
    if (r.lost) line += ", lost " + std::to_string(r.lost);
    p.mark("hears: " + line);
  }
}

void ends(program& p, const char* name, kernel::priority priority = 5) {
  p.task(name, priority, [] {});
  p.log();
}

}  // namespace

TEST_CASE("a maker hears of the end of a child that exits, is killed, or fails") {
  program p;
  kernel::end_reports<4> reports{p.system};
  kernel::tid fails = kernel::no_task;
  p.task("maker", 3, [&] {
    const kernel::tid sleeps = p.task("sleeps", 2, [&] { p.sleep(ms(100)); });
    fails = p.task("fails", 5, [&] {
      *p.system.running->stack = 0;
      kernel::sleep(ms(1));
    });
    p.task("exits", 5, [] {});
    kernel::kill(sleeps);
    p.log();
    kernel::end_report r = {};
    CHECK(kernel::take_end_report(r));
    CHECK(r.id == fails);
    CHECK(r.how == ending::failed);
    CHECK(r.why == kernel::fault::stack_overflow);
    CHECK(r.address != 0);
    log_reports(p);
    CHECK(kernel::take_end_report(r).why() == error::would_wait);
  });
  p.system.on_fault = nullptr;
  p.run();
  CHECK_LOG(p, "maker hears: exits exited", "maker hears: sleeps killed", "maker ends");
}

TEST_CASE("a report wakes a maker that waits for it, with and without a timeout") {
  program p;
  kernel::end_reports<4> reports{p.system};
  p.task("maker", 3, [&] {
    kernel::end_report r;
    CHECK(kernel::wait_end_report(r, ms(5)).why() == error::timed_out);
    CHECK(kernel::wait_end_report(r, ticks(0)).why() == error::would_wait);
    const kernel::tid child = p.task("child", 2, [&] { p.sleep(ms(10)); });
    CHECK(kernel::wait_end_report(r));
    CHECK(r.id == child);
    CHECK(r.how == ending::exited);
    p.mark("hears");
  });
  p.run();
  CHECK_LOG(p, "at 5 ms", "child sleeps", "at 15 ms", "child wakes", "child ends", "maker hears", "maker ends");
}

TEST_CASE("a maker that receives hears of an end if its mask has the bit") {
  program p;
  kernel::end_reports<4> reports{p.system};
  p.task("server", 3, [&] {
    kernel::set_notification_mask(kernel::ended_notification);
    p.task("child", 2, [&] { p.sleep(ms(10)); });
    p.receive();
    log_reports(p);
  });
  p.run();
  CHECK_LOG(p, "server receives", "child sleeps", "at 10 ms", "child wakes", "child ends", "server receive: notified",
            "server hears: child exited", "server ends");
}

TEST_CASE("the reports of a maker that has ended are its own maker's, those not taken as well") {
  program p;
  kernel::end_reports<4> reports{p.system};
  p.task("first", 4, [&] {
    p.task("second", 3, [&] {
      p.task("grandchild", 2, [&] { p.sleep(ms(10)); });
      ends(p, "short");
    });
    kernel::sleep(ms(1));
    log_reports(p);
    kernel::sleep(ms(20));
    log_reports(p);
  });
  p.run();
  CHECK_LOG(p, "second ends", "grandchild sleeps", "at 1 ms", "first hears: short exited", "first hears: second exited",
            "at 10 ms", "grandchild wakes", "grandchild ends", "at 21 ms", "first hears: grandchild exited",
            "first ends");
}

TEST_CASE("the tasks of main are reported to the task that is told so, and else to nobody") {
  for (const bool is_told : {false, true}) {
    program p;
    kernel::end_reports<4> reports{p.system};
    p.task("before", 7, [] {});
    const kernel::tid hears = p.task("first", 6, [&] {
      kernel::sleep(ms(1));
      log_reports(p);
    });
    p.task("child", 5, [] {});
    if (is_told) reports.give_orphans_to(hears);
    p.run();
    const std::string log = p.log();
    CHECK((log.find("first hears: before exited\", \"first hears: child exited") != std::string::npos) == is_told);
    CHECK((log.find("hears") != std::string::npos) == is_told);
  }
}

TEST_CASE("the oldest reports are lost if too many are not taken, and that is told") {
  program p;
  kernel::end_reports<2> reports{p.system};
  p.task("maker", 3, [&] {
    for (const char* name : {"a", "b", "c"}) ends(p, name);
    log_reports(p);
    CHECK_LOG(p, "maker hears: b exited, lost 1", "maker hears: c exited");
    for (int i = 0; i < 300; ++i) ends(p, "d");
    log_reports(p);
    CHECK_LOG(p, "maker hears: d exited, lost 255", "maker hears: d exited");
  });
  p.run();
}

TEST_CASE("without end_reports the call is refused") {
  program p;
  p.task("maker", 3, [&] {
    kernel::end_report r;
    CHECK(kernel::take_end_report(r).why() == error::bad_call);
    CHECK(kernel::wait_end_report(r).why() == error::bad_call);
  });
  p.run();
}

TEST_CASE("a report goes to no bad buffer") {
  program p;
  kernel::end_reports<4> reports{p.system};
  p.task("maker", 3, [&] {
    const auto take = [](kernel::word at) {
      constexpr auto call = kernel::call_number::take_end_report;
      return kernel::ipc_result(kernel_switch::call<call>(0, 0, 0, at, 0, 0).first).why();
    };
    kernel::end_report r;
    ends(p, "child");
    CHECK(take(0) == error::bad_buffer);
    CHECK(take(reinterpret_cast<kernel::word>(&r) + 1) == error::bad_buffer);
    CHECK(take(reinterpret_cast<kernel::word>(&r)) == error::none);
  });
  p.run();
}
