// SPDX-License-Identifier: MIT
#include <program.hpp>

// Interrupt events, raised in virtual time.

using namespace baton;
using test::ms;
using test::program;

TEST_CASE("a second waiter is refused, and does not take what the first one waits for") {
  program p;
  p.task("first", 2, [&] { p.wait_interrupt_event(3); });
  p.task("second", 1, [&] {
    p.wait_interrupt_event(3, ms(10));
    kernel::from_interrupt::raise_event(p.system, 3);  // the kernel handles it at the next call
    p.wait_interrupt_event(3);
  });
  p.run();
  CHECK_LOG(p, "first awaits event 3", "second awaits event 3", "second event 3: busy", "second awaits event 3",
            "first event 3: none", "first ends", "second event 3: busy", "second ends");
}

TEST_CASE("an interrupt wakes the task that awaits its event, at once if it is more urgent than who runs") {
  program p;
  test::interrupt tick(ms(4), [&] { kernel::from_interrupt::raise_event(p.system, 2); });
  p.task("driver", 3, [&] { p.wait_interrupt_event(2); });
  p.task("worker", 1, [&] { p.work(10); });
  p.run();
  CHECK_LOG(p, "driver awaits event 2", "worker works", "at 4 ms", "driver event 2: none", "driver ends", "at 10 ms",
            "worker ends");
}

TEST_CASE("an event that was raised before is taken at once, and only once") {
  program p;
  kernel::from_interrupt::raise_event(p.system, 2);
  kernel::from_interrupt::raise_event(p.system, 2);
  p.task("driver", 3, [&] {
    p.wait_interrupt_event(2);
    p.wait_interrupt_event(2, ms(1));
  });
  p.run();
  CHECK_LOG(p, "driver awaits event 2", "driver event 2: none", "driver awaits event 2", "at 1 ms",
            "driver event 2: timed_out", "driver ends");
}

TEST_CASE("an event stays raised when the task that awaits it has given up or was killed") {
  program p;
  test::interrupt tick(ms(6), [&] { kernel::from_interrupt::raise_event(p.system, 0); });
  const kernel::tid doomed = p.task("doomed", 1, [&] { p.wait_interrupt_event(0); });
  p.task("killer", 2, [&] {
    p.sleep(ms(2));
    p.kill(doomed);
    p.wait_interrupt_event(0, ms(2));
    p.sleep(ms(10));
    p.wait_interrupt_event(0, 0);
  });
  p.run();
  CHECK_LOG(p, "killer sleeps", "doomed awaits event 0", "at 2 ms", "killer wakes", "killer kills doomed",
            "killer awaits event 0", "at 4 ms", "killer event 0: timed_out", "killer sleeps", "at 14 ms",
            "killer wakes", "killer awaits event 0", "killer event 0: none", "killer ends");
}

TEST_CASE("events of one moment wake their tasks by priority") {
  program p;
  test::interrupt tick(ms(1), [&] {
    for (uint8_t e = 0; e < 3; ++e) kernel::from_interrupt::raise_event(p.system, e);
  });
  p.task("low", 1, [&] { p.wait_interrupt_event(0); });
  p.task("high", 3, [&] { p.wait_interrupt_event(1); });
  p.task("middle", 2, [&] { p.wait_interrupt_event(2); });
  p.run();
  CHECK_LOG(p, "high awaits event 1", "middle awaits event 2", "low awaits event 0", "at 1 ms", "high event 1: none",
            "high ends", "middle event 2: none", "middle ends", "low event 0: none", "low ends");
}

TEST_CASE("notification bits wait until they are asked for, and are taken together") {
  program p;
  const kernel::tid listener = p.task("listener", 1, [&] {
    p.wait_notification(3);
    p.wait_notification(4, ms(1));
    p.wait_notification(8);
  });
  p.task("notifier", 2, [&] {
    CHECK(kernel::notify(listener, 1));
    CHECK(kernel::notify(listener, 10));
    CHECK(kernel::notify(0x1177, 1).why() == kernel::error::bad_task);
  });
  p.run();
  CHECK_LOG(p, "notifier ends", "listener awaits notification", "listener notified 3", "listener awaits notification",
            "at 1 ms", "listener notification: timed_out", "listener awaits notification", "listener notified 8",
            "listener ends");
}

TEST_CASE("a notification wakes who awaits one of its bits, at once if it is more urgent") {
  program p;
  const kernel::tid listener = p.task("listener", 2, [&] {
    p.wait_notification(6);
    p.wait_notification(1, ms(1));
  });
  p.task("notifier", 1, [&] {
    kernel::notify(listener, 1);
    p.mark("goes on");
    kernel::notify(listener, 2);
    p.mark("goes on");
  });
  p.run();
  CHECK_LOG(p, "listener awaits notification", "notifier goes on", "listener notified 2",
            "listener awaits notification", "listener notified 1", "listener ends", "notifier goes on",
            "notifier ends");
}

TEST_CASE("an interrupt notifies; one who has ended gets nothing") {
  program p;
  const kernel::tid gone = p.task("gone", 3, [&] {});
  const kernel::tid listener = p.task("listener", 2, [&] { p.wait_notification(2); });
  test::interrupt first(ms(1), [&] { kernel::from_interrupt::notify(p.system, gone, 2); });
  test::interrupt second(ms(2), [&] { kernel::from_interrupt::notify(p.system, listener, 2); });
  p.run();
  CHECK_LOG(p, "gone ends", "listener awaits notification", "at 2 ms", "listener notified 2", "listener ends");
}

TEST_CASE("a receiver that listens for bits is told, and takes them afterwards; messages come first") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    kernel::set_notification_mask(4);
    p.receive();
    p.wait_notification(4, 0);
    p.sleep(ms(5));
    test::message m = p.receive();
    m = p.reply_receive(m.client, "ok");
    kernel::set_notification_mask(0);
    p.receive(ms(1));
  });
  test::interrupt first(ms(1), [&] { kernel::from_interrupt::notify(p.system, server, 4); });
  test::interrupt second(ms(3), [&] { kernel::from_interrupt::notify(p.system, server, 4); });
  p.task("client", 1, [&] {
    p.sleep(ms(2));
    p.send(server, "hi");
  });
  p.run();
  CHECK_LOG(p, "server receives", "client sleeps", "at 1 ms", "server receive: notified", "server awaits notification",
            "server notified 4", "server sleeps", "at 2 ms", "client wakes", "client sends server", "at 6 ms",
            "server wakes", "server receives", "server took 'hi' from client", "server replies to client and receives",
            "server reply_receive: notified", "server receives", "client got 'ok'", "client ends", "at 7 ms",
            "server receive: timed_out", "server ends");
}
