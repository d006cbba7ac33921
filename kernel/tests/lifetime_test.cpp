// SPDX-License-Identifier: MIT
#include <program.hpp>

// The beginning and the end of tasks, and the fate of the tasks that wait for them.

using namespace baton;
using test::ms;
using test::program;

TEST_CASE("a task that is killed in send_wait while it inherits a priority leaves its own client with peer_gone") {
  program p;
  kernel::tid server = p.task("server", 1, [&] { p.sleep(ms(50)); });
  kernel::tid middle = p.task("middle", 2, [&] { p.send(server, "a"); });
  p.task("client", 5, [&] {
    p.sleep(ms(1));
    p.send(middle, "b");
  });
  p.task("killer", 6, [&] {
    p.sleep(ms(2));
    p.kill(middle);
  });
  p.run();
  CHECK_LOG(p, "killer sleeps", "client sleeps", "middle sends server", "server sleeps", "at 1 ms", "client wakes",
            "client sends middle", "at 2 ms", "killer wakes", "killer kills middle", "killer ends",
            "client send: peer_gone", "client ends", "at 50 ms", "server wakes", "server ends");
}

TEST_CASE("an exit ends the wait of those who have sent, received or not") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.receive();
    p.sleep(ms(1));
    kernel::exit();
  });
  p.task("received", 3, [&] { p.send(server, "a"); });
  p.task("queued", 2, [&] { p.send(server, "b"); });
  p.task("timed", 2, [&] { p.send(server, "c", ms(9)); });
  p.run();
  CHECK_LOG(p, "received sends server", "server receives", "server took 'a' from received", "server sleeps",
            "queued sends server", "timed sends server", "at 1 ms", "server wakes", "received send: peer_gone",
            "received ends", "queued send: peer_gone", "queued ends", "timed send: peer_gone", "timed ends");
}

TEST_CASE("a task may kill itself and its children, with privileges anyone, else nobody") {
  program p;
  const kernel::tid other = p.task("other", 1, [&] { p.mark("runs"); });
  p.try_task(
      "plain", 3,
      [&] {
        CHECK(p.kill(other).why() == kernel::error::no_right);
        const kernel::tid child = p.try_task("child", 2, [&] { p.mark("runs"); }, false).id;
        CHECK(p.kill(child));
        p.kill(kernel::my_tid());
        p.mark("runs on");
      },
      false);
  p.task("root", 2, [&] { CHECK(p.kill(other)); });
  p.run();
  CHECK_LOG(p, "plain kills other", "plain kill: no_right", "plain kills child", "plain kills plain",
            "root kills other", "root ends");
}

TEST_CASE("a task without privileges gives none") {
  program p;
  p.try_task(
      "plain", 3,
      [&] {
        CHECK(p.try_task("root", 2, [] {}, true).result.why() == kernel::error::no_right);
        CHECK(p.try_task("plain too", 2, [] {}, false));
      },
      false);
  p.task("root", 2, [&] { CHECK(p.try_task("root too", 1, [] {}, true)); });
  p.run();
}

TEST_CASE("a task is killed in each of its waits, and nothing of it is left in a queue") {
  for (uint8_t wait = 0; wait < 8; ++wait) {
    program p;
    sim::clock::get().now = 0;
    const kernel::tid server = p.task("server", 4, [&] {
      if (wait == 1) kernel::receive(nullptr, 0);
      kernel::sleep(ms(100));
    });
    const kernel::tid doomed = p.task("doomed", 2, [&] {
      if (wait == 0) kernel::send(server, nullptr, 0, nullptr, 0);
      if (wait == 1) kernel::send(server, nullptr, 0, nullptr, 0, ms(50));
      if (wait == 2) kernel::receive(nullptr, 0);
      if (wait == 3) kernel::receive(nullptr, 0, ms(50));
      if (wait == 4) kernel::wait_interrupt_event(1, ms(50));
      if (wait == 5) kernel::wait_notification(1, ms(50));
      if (wait == 6) kernel::sleep(ms(50));
      if (wait == 7) sim::advance(ms(50));  // ready, preempted
      CHECK_WITH(false, wait);
    });
    p.task("killer", 3, [&] {
      kernel::sleep(ms(1));
      CHECK_WITH(kernel::kill(doomed), wait);
      CHECK_WITH(p.system.waiters[1] == nullptr, wait);
      CHECK_WITH(p.system.find(server)->senders == nullptr, wait);
      kernel::tcb* timed = p.system.timed_waits.first();
      CHECK_WITH(timed == p.system.find(server) && !timed->next_timed, wait);
    });
    p.run();
    CHECK_WITH(port::now() == ms(100), wait);
  }
}

TEST_CASE("a bad stack is refused: nowhere, too small, another's, not aligned, beyond the memory") {
  static kernel::system<3> system;
  static kernel::stack<16384> first, second;
  const auto end = [](void*) {};
  kernel::task_description d = kernel::describe(1, end, first, "first");
  CHECK(system.create(d));
  const auto why = [&](void* stack, kernel::word bytes) {
    d.stack = stack;
    d.stack_bytes = bytes;
    return system.create(d).result.why();
  };
  char* const bytes = reinterpret_cast<char*>(second.words);
  CHECK(why(nullptr, sizeof second) == kernel::error::bad_stack);
  CHECK(why(bytes, kernel_port::least_stack - 16) == kernel::error::bad_stack);
  CHECK(why(bytes, 0) == kernel::error::bad_stack);
  CHECK(why(bytes + 4, sizeof second - 16) == kernel::error::bad_stack);
  CHECK(why(bytes, sizeof second - 2) == kernel::error::bad_stack);
  CHECK(why(bytes, static_cast<kernel::word>(-16)) == kernel::error::bad_stack);
  CHECK(why(first.words, sizeof first) == kernel::error::bad_stack);
  CHECK(why(first.words + 1024, 8192) == kernel::error::bad_stack);
  CHECK(why(bytes, sizeof second) == kernel::error::none);
  system.run();
}

TEST_CASE("a stack whose owner has ended is free again") {
  static kernel::system<2> system;
  static kernel::stack<16384> stack;
  static uint8_t runs;
  runs = 0;
  const auto count = [](void*) { ++runs; };
  for (uint8_t i = 0; i < 3; ++i) {
    CHECK(system.create(kernel::describe(1, count, stack, "again")));
    system.run();
  }
  CHECK_EQ(runs, 3);
}

TEST_CASE("a list says how much of a stack was used at most") {
  program p;
  kernel::word before = 0, after = 0;
  const kernel::tid deep = p.task("deep", 2, [&] {
    kernel::yield();
    volatile char frame[20000];
    frame[0] = 1;
    frame[19999] = frame[0];
    kernel::sleep(ms(2));
    CHECK_EQ(frame[19999], 1);
  });
  p.task("looker", 2, [&] {
    kernel::task_report r;
    CHECK(kernel::inspect(static_cast<uint8_t>(deep & 0xff), r));
    CHECK_EQ(r.id, deep);
    before = r.stack_used;
    kernel::sleep(ms(1));
    CHECK(kernel::inspect(static_cast<uint8_t>(deep & 0xff), r));
    CHECK(r.state == kernel::state::asleep);
    after = r.stack_used;
    CHECK_EQ(r.stack_bytes, 65536u);
  });
  p.run();
  CHECK(before > 0);
  CHECK(after >= before);
  CHECK(after >= 20000);
  CHECK(after < 65536);
}

TEST_CASE("stop ends run at the next call, and run goes on with the same task") {
  program p;
  p.task("a", 2, [&] {
    p.system.stop();
    p.mark("has stopped");
    kernel::my_tid();
    p.mark("goes on");
  });
  p.task("b", 2, [&] { p.mark("runs"); });
  p.run();
  p.say("main is back");
  p.run();
  CHECK_LOG(p, "a has stopped", "main is back", "a goes on", "a ends", "b runs", "b ends");
}

TEST_CASE("an interrupt stops a kernel that sleeps") {
  program p;
  test::interrupt stop(ms(3), [&] { p.system.stop(); });
  p.task("sleeper", 2, [&] { p.sleep(ms(10)); });
  p.run();
  p.say("main is back");
  p.run();
  CHECK_LOG(p, "sleeper sleeps", "at 3 ms", "main is back", "at 10 ms", "sleeper wakes", "sleeper ends");
}

TEST_CASE("run returns when nothing can ever happen") {
  program p;
  p.task("server", 2, [&] { p.receive(); });
  p.run();
  CHECK_EQ(port::now(), tick{0});
  CHECK_LOG(p, "server receives");
}

TEST_CASE("idle time is what no task worked, without an idle task") {
  program p;
  p.task("worker", 2, [&] {
    p.work(3);
    p.sleep(ms(7));
    p.work(1);
    p.sleep(ms(4));
  });
  p.run();
  CHECK_EQ(p.system.idle_ticks, ms(11));
}
