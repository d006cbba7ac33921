// SPDX-License-Identifier: MIT
#include <program.hpp>

// Events of interrupts, raised in virtual time.

using namespace baton;
using test::ms;
using test::program;

TEST_CASE("a second waiter is refused, and does not take what the first one waits for") {
  program p;
  p.task("first", 2, [&] { p.await_event(3); });
  p.task("second", 1, [&] {
    p.await_event(3, ms(10));
    kernel::from_interrupt::raise_event(p.machine, 3);  // the kernel looks when it is entered next
    p.await_event(3);
  });
  p.run();
  CHECK_LOG(p, "first awaits event 3", "second awaits event 3", "second event 3: busy", "second awaits event 3",
            "first event 3: none", "first ends", "second event 3: busy", "second ends");
}

TEST_CASE("an interrupt wakes the task that awaits its event, at once if it is more urgent than who runs") {
  program p;
  test::interrupt tick(ms(4), [&] { kernel::from_interrupt::raise_event(p.machine, 2); });
  p.task("driver", 3, [&] { p.await_event(2); });
  p.task("worker", 1, [&] { p.work(10); });
  p.run();
  CHECK_LOG(p, "driver awaits event 2", "worker works", "at 4 ms", "driver event 2: none", "driver ends", "at 10 ms",
            "worker ends");
}

TEST_CASE("an event that was raised before is taken at once, and only once") {
  program p;
  kernel::from_interrupt::raise_event(p.machine, 2);
  kernel::from_interrupt::raise_event(p.machine, 2);
  p.task("driver", 3, [&] {
    p.await_event(2);
    p.await_event(2, ms(1));
  });
  p.run();
  CHECK_LOG(p, "driver awaits event 2", "driver event 2: none", "driver awaits event 2", "at 1 ms",
            "driver event 2: timed_out", "driver ends");
}

TEST_CASE("an event stays raised when the task that awaits it has given up or was killed") {
  program p;
  test::interrupt tick(ms(6), [&] { kernel::from_interrupt::raise_event(p.machine, 0); });
  const kernel::tid doomed = p.task("doomed", 1, [&] { p.await_event(0); });
  p.task("killer", 2, [&] {
    p.sleep(ms(2));
    p.kill(doomed);
    p.await_event(0, ms(2));
    p.sleep(ms(10));
    p.await_event(0, 0);
  });
  p.run();
  CHECK_LOG(p, "killer sleeps", "doomed awaits event 0", "at 2 ms", "killer wakes", "killer kills doomed",
            "killer awaits event 0", "at 4 ms", "killer event 0: timed_out", "killer sleeps", "at 14 ms",
            "killer wakes", "killer awaits event 0", "killer event 0: none", "killer ends");
}

TEST_CASE("events of one moment wake their tasks by priority") {
  program p;
  test::interrupt tick(ms(1), [&] {
    for (uint8_t e = 0; e < 3; ++e) kernel::from_interrupt::raise_event(p.machine, e);
  });
  p.task("low", 1, [&] { p.await_event(0); });
  p.task("high", 3, [&] { p.await_event(1); });
  p.task("middle", 2, [&] { p.await_event(2); });
  p.run();
  CHECK_LOG(p, "high awaits event 1", "middle awaits event 2", "low awaits event 0", "at 1 ms", "high event 1: none",
            "high ends", "middle event 2: none", "middle ends", "low event 0: none", "low ends");
}

TEST_CASE("notification bits wait until they are asked for, and are taken together") {
  program p;
  const kernel::tid listener = p.task("listener", 1, [&] {
    p.await_notice(3);
    p.await_notice(4, ms(1));
    p.await_notice(8);
  });
  p.task("notifier", 2, [&] {
    CHECK(kernel::notify(listener, 1));
    CHECK(kernel::notify(listener, 10));
    CHECK(kernel::notify(0x1177, 1).why() == kernel::error::bad_task);
  });
  p.run();
  CHECK_LOG(p, "notifier ends", "listener awaits notice", "listener noticed 3", "listener awaits notice", "at 1 ms",
            "listener notice: timed_out", "listener awaits notice", "listener noticed 8", "listener ends");
}

TEST_CASE("a notification wakes who awaits one of its bits, at once if it is more urgent") {
  program p;
  const kernel::tid listener = p.task("listener", 2, [&] {
    p.await_notice(6);
    p.await_notice(1, ms(1));
  });
  p.task("notifier", 1, [&] {
    kernel::notify(listener, 1);
    p.mark("goes on");
    kernel::notify(listener, 2);
    p.mark("goes on");
  });
  p.run();
  CHECK_LOG(p, "listener awaits notice", "notifier goes on", "listener noticed 2", "listener awaits notice",
            "listener noticed 1", "listener ends", "notifier goes on", "notifier ends");
}

TEST_CASE("an interrupt notifies; one who has ended gets nothing") {
  program p;
  const kernel::tid gone = p.task("gone", 3, [&] {});
  const kernel::tid listener = p.task("listener", 2, [&] { p.await_notice(2); });
  test::interrupt first(ms(1), [&] { kernel::from_interrupt::notify(p.machine, gone, 2); });
  test::interrupt second(ms(2), [&] { kernel::from_interrupt::notify(p.machine, listener, 2); });
  p.run();
  CHECK_LOG(p, "gone ends", "listener awaits notice", "at 2 ms", "listener noticed 2", "listener ends");
}

TEST_CASE("a receiver that listens for bits is told, and takes them afterwards; messages come first") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    kernel::listen(4);
    p.receive();
    p.await_notice(4, 0);
    p.sleep(ms(5));
    test::message m = p.receive();
    m = p.reply_receive(m.from, "ok");
    kernel::listen(0);
    p.receive(ms(1));
  });
  test::interrupt first(ms(1), [&] { kernel::from_interrupt::notify(p.machine, server, 4); });
  test::interrupt second(ms(3), [&] { kernel::from_interrupt::notify(p.machine, server, 4); });
  p.task("client", 1, [&] {
    p.sleep(ms(2));
    p.send(server, "hi");
  });
  p.run();
  CHECK_LOG(p, "server receives", "client sleeps", "at 1 ms", "server receive: noticed", "server awaits notice",
            "server noticed 4", "server sleeps", "at 2 ms", "client wakes", "client sends server", "at 6 ms",
            "server wakes", "server receives", "server took 'hi' from client", "server replies to client and receives",
            "server reply_receive: noticed", "server receives", "client got 'ok'", "client ends", "at 7 ms",
            "server receive: timed_out", "server ends");
}
