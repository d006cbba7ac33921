// SPDX-License-Identifier: MIT
#include <program.hpp>

// The order of running: priorities, first in, first out among equals, and the priority that a
// server inherits.

using namespace baton;
using test::message;
using test::ms;
using test::program;

TEST_CASE("the most urgent runs first, and those as urgent in the order of their making") {
  program p;
  p.task("low", 1, [&] { p.mark("runs"); });
  for (const char* name : {"b1", "b2", "b3"}) p.task(name, 2, [&] { p.mark("runs"); });
  p.task("high", 3, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "high runs", "high ends", "b1 runs", "b1 ends", "b2 runs", "b2 ends", "b3 runs", "b3 ends", "low runs",
            "low ends");
}

TEST_CASE("a yield lets those as urgent run, not the less urgent") {
  program p;
  for (const char* name : {"a", "b"}) {
    p.task(name, 2, [&] {
      p.yield();
      p.yield();
    });
  }
  p.task("low", 1, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "a yields", "b yields", "a goes on", "a yields", "b goes on", "b yields", "a goes on", "a ends",
            "b goes on", "b ends", "low runs", "low ends");
}

TEST_CASE("a task that is made runs at once if it is more urgent, later if it is not") {
  program p;
  p.task("parent", 2, [&] {
    p.task("high", 3, [&] { p.mark("runs"); });
    p.mark("goes on");
    p.task("same", 2, [&] { p.mark("runs"); });
    p.task("low", 1, [&] { p.mark("runs"); });
    p.mark("goes on");
  });
  p.run();
  CHECK_LOG(p, "high runs", "high ends", "parent goes on", "parent goes on", "parent ends", "same runs", "same ends",
            "low runs", "low ends");
}

TEST_CASE("who is preempted goes on before those as urgent") {
  program p;
  test::interrupt wake(ms(5), [&] { kernel::from_interrupt::raise_event(p.system, 0); });
  p.task("high", 3, [&] { p.wait_interrupt_event(0); });
  p.task("a", 2, [&] {
    p.work(10);
    p.mark("goes on");
  });
  p.task("b", 2, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "high awaits event 0", "a works", "at 5 ms", "high event 0: none", "high ends", "at 10 ms", "a goes on",
            "a ends", "b runs", "b ends");
}

TEST_CASE("a chain of servers inherits from the client at its end, and each gives it back with its reply") {
  for (uint8_t length = 1; length <= 6; ++length) {
    program p;
    kernel::tid ids[7];
    kernel::priority seen[7] = {};
    kernel::priority after[7] = {};
    for (uint8_t i = 0; i < length; ++i) {
      ids[i] = p.task("server", 1, [&, i] {
        char m;
        const kernel::received r = kernel::receive(&m, 1);
        if (i > 0) kernel::send(ids[i - 1], "m", 1, &m, 1);
        seen[i] = p.system.running->priority;
        kernel::reply(r.client, "r", 1);
        after[i] = p.system.running->priority;
      });
    }
    p.task("client", 6, [&] {
      char reply = 0;
      kernel::sleep(ms(1));
      CHECK(kernel::send(ids[length - 1], "m", 1, &reply, 1));
      CHECK_EQ(reply, 'r');
    });
    p.run();
    for (uint8_t i = 0; i < length; ++i) {
      CHECK_WITH(seen[i] == 6, length);
      CHECK_WITH(after[i] == 1, length);
    }
  }
}

TEST_CASE("a sender whose priority rises while it is queued goes ahead in the queue") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(2));
    for (uint8_t i = 0; i < 2; ++i) p.reply(p.receive().client, "ok");
  });
  const kernel::tid low = p.task("low", 2, [&] {
    p.send(server, "low");
    p.reply(p.receive().client, "done");
  });
  p.task("middle", 3, [&] { p.send(server, "middle"); });
  p.task("high", 5, [&] {
    p.sleep(ms(1));
    p.send(low, "hurry");
  });
  p.run();
  CHECK_LOG(p, "high sleeps", "middle sends server", "server sleeps", "low sends server", "at 1 ms", "high wakes",
            "high sends low", "at 2 ms", "server wakes", "server receives", "server took 'low' from low",
            "server replies to low", "low got 'ok'", "low receives", "low took 'hurry' from high",
            "low replies to high", "high got 'done'", "high ends", "server receives",
            "server took 'middle' from middle", "server replies to middle", "middle got 'ok'", "middle ends",
            "low ends", "server ends");
}

namespace {

/// Checks a server's priority while a client of priority 5 waits, and after `end` has ended that
/// wait.
void check_settles(const std::function<void(program&, kernel::tid server, kernel::tid client)>& end,
                   time_limit timeout) {
  program p;
  kernel::priority during = 0, after = 0;
  const kernel::tid server = p.task("server", 1, [&] {
    char m;
    kernel::sleep(ms(1));
    kernel::receive(&m, 1);
    during = p.system.running->priority;
    sim::advance(ms(10));
    kernel::yield();
    after = p.system.running->priority;
  });
  const kernel::tid client = p.task("client", 5, [&] { kernel::send(server, "m", 1, nullptr, 0, timeout); });
  p.task("other", 6, [&] {
    kernel::sleep(ms(3));
    end(p, server, client);
  });
  p.run();
  CHECK_EQ(during, 5);
  CHECK_EQ(after, 1);
}

}  // namespace

TEST_CASE("what was inherited is given back when the client's timeout comes") {
  check_settles([](program&, kernel::tid, kernel::tid) {}, ms(3));
}

TEST_CASE("what was inherited is given back when the client is killed") {
  check_settles([](program&, kernel::tid, kernel::tid client) { CHECK(kernel::kill(client)); }, forever);
}

TEST_CASE("a server keeps the priority of the most urgent client that is left") {
  program p;
  kernel::priority seen[4] = {};
  const kernel::tid server = p.task("server", 1, [&] {
    kernel::reply_token clients[3];
    char m;
    kernel::sleep(ms(1));
    for (kernel::reply_token& c : clients) c = kernel::receive(&m, 1).client;
    for (uint8_t i = 0; i < 3; ++i) {
      seen[i] = p.system.running->priority;
      kernel::reply(clients[i], "", 0);
    }
    seen[3] = p.system.running->priority;
  });
  for (kernel::priority u : {3, 5, 4}) p.task("client", u, [&] { kernel::send(server, "m", 1, nullptr, 0); });
  p.run();
  CHECK_EQ(seen[0], 5);
  CHECK_EQ(seen[1], 4);
  CHECK_EQ(seen[2], 3);
  CHECK_EQ(seen[3], 1);
}

TEST_CASE("a reply that gives back a priority lets others run who are more urgent now") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(1));
    const message m = p.receive();
    p.work(5);
    p.reply(m.client, "ok");
    p.mark("goes on");
  });
  p.task("client", 3, [&] {
    p.send(server, "hi");
    p.sleep(ms(20));
  });
  p.task("middle", 2, [&] {
    p.sleep(ms(3));
    p.mark("runs");
  });
  p.run();
  CHECK_LOG(p, "client sends server", "server sleeps", "middle sleeps", "at 1 ms", "server wakes", "server receives",
            "server took 'hi' from client", "server works", "at 6 ms", "server replies to client", "client got 'ok'",
            "client sleeps", "middle wakes", "middle runs", "middle ends", "server goes on", "server ends", "at 26 ms",
            "client wakes", "client ends");
}
