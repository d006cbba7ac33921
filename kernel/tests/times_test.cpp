// SPDX-License-Identifier: MIT
#include <baton/test/text.hpp>
#include <program.hpp>

// The time that each task has run, and its switches, in virtual time, to the tick.

using namespace baton;
using test::ms;
using test::program;

namespace {

kernel::task_time time_of(kernel::tid id) {
  kernel::task_report r;
  CHECK(kernel::inspect(static_cast<uint8_t>(id & 0xff), r));
  CHECK_EQ(r.id, id);
  return r.time;
}

}  // namespace

TEST_CASE("a task's time is that in which it runs, until now; a wait takes none") {
  program p;
  kernel::tid busy = 0, idle = 0;
  kernel::task_time of_busy = {}, of_idle = {}, own = {};
  busy = p.task("busy", 2, [&] {
    p.work(30);
    p.sleep(ms(10));
    p.work(5);
    p.sleep(ms(100));
    p.work(1);
  });
  idle = p.task("idle", 1, [&] {
    p.work(7);
    p.sleep(ms(50));
    of_busy = time_of(busy);
    p.work(3);
    own = time_of(idle);
    of_idle = time_of(idle);
  });
  p.run();
  CHECK_EQ(of_busy.ran, ms(35));
  CHECK_EQ(of_busy.switches, 2u);
  CHECK_EQ(of_idle.ran, ms(10));
  CHECK_EQ(own.switches, 2u);
}

TEST_CASE("a task that is preempted, or whose slice ends, does not run meanwhile") {
  program p;
  kernel::time_slices turns(p.system, ms(10));
  kernel::task_time times[2] = {};
  for (int n = 0; n != 2; ++n) {
    p.task("slow", 1, [&, n] {
      const kernel::tid own = kernel::my_tid();
      for (int turn = 0; turn != 4; ++turn) {
        p.work(10);
        kernel::now();  // Linux preempts at a call
      }
      times[n] = time_of(own);
    });
  }
  p.task("urgent", 3, [&] {
    p.sleep(ms(25));
    p.work(3);
  });
  p.run();
  for (const kernel::task_time& t : times) {
    CHECK_EQ(t.ran, ms(40));
    CHECK(t.switches >= 4);
  }
}

TEST_CASE("a message's time is the sender's until the server runs; a new task in a slot begins at 0") {
  program p;
  kernel::task_time of_server = {}, of_child = {};
  kernel::tid server = p.task("server", 3, [&] {
    for (int n = 0; n != 2; ++n) {
      test::message m = p.receive();
      p.work(4);
      p.reply(m.client, "done");
    }
    p.sleep(ms(1000));
  });
  p.task("client", 2, [&] {
    for (int n = 0; n != 2; ++n) {
      p.work(2);
      p.send(server, "please");
    }
    of_server = time_of(server);
    for (int n = 0; n != 2; ++n) {
      const kernel::tid child = p.task("child", 3, [&] { p.work(6); });
      CHECK_EQ(child & 0xff, 2u);  // the same slot, for the first child has ended
    }
    kernel::tid waits = p.task("waits", 3, [&] { p.sleep(ms(5)); });
    of_child = time_of(waits);
  });
  p.run();
  CHECK_EQ(of_server.ran, ms(8));
  CHECK_EQ(of_server.switches, 3u);
  CHECK_EQ(of_child.ran, 0u);
  CHECK_EQ(of_child.switches, 1u);
}

TEST_CASE("the times of all tasks and the time asleep are the time that has passed") {
  program p;
  tick sum = 0;
  const tick begin = port::now();
  for (int t = 0; t != 3; ++t) {
    p.task("one", static_cast<kernel::priority>(1 + t % 2), [&, t] {
      for (int n = 0; n != 5; ++n) {
        p.work(static_cast<uint32_t>(1 + n * t));
        p.sleep(ms(static_cast<uint32_t>(3 * t + n)));
        kernel::yield();
      }
      p.sleep(ms(500));
    });
  }
  p.task("last", 4, [&] {
    p.sleep(ms(400));
    kernel::task_report r;
    for (uint8_t slot = 0; kernel::inspect(slot, r); ++slot) sum += r.time.ran;
    sum += p.system.idle_ticks;
    CHECK_EQ(sum, port::now() - begin);
  });
  p.run();
  CHECK(sum != 0);
}

TEST_CASE("the list of tasks ends with the times") {
  program p;
  test::text_sink<800> sink;
  p.task("busy", 2, [&] {
    p.work(12);
    kernel::print_tasks(sink);
  });
  p.run();
  const std::string text = sink.text;
  const std::string times =
      "id        name         ran, in ticks         switches\r\n"
      "100       busy         " +
      std::to_string(ms(12).count);
  CHECK(text.find(times) != std::string::npos);
}
