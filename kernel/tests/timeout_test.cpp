// SPDX-License-Identifier: MIT
#include <program.hpp>

// Timeouts of all calls that wait, in every state.

using namespace baton;
using kernel::error;
using test::message;
using test::ms;
using test::program;

TEST_CASE("a send whose timeout comes before it is received has not happened") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(5));
    p.receive(ms(5));
  });
  p.task("client", 2, [&] { p.send(server, "hi", ms(2)); });
  p.run();
  CHECK_LOG(p, "client sends server", "server sleeps", "at 2 ms", "client send: timed_out", "client ends", "at 5 ms",
            "server wakes", "server receives", "at 10 ms", "server receive: timed_out", "server ends");
}

TEST_CASE("a late reply does not answer the client's next question, which the server has received too") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    const message one = p.receive();
    const message two = p.receive();
    CHECK(one.client != two.client);
    CHECK(p.reply(one.client, "to one").why() == error::no_right);
    CHECK(p.reply(two.client, "to two"));
    CHECK(p.reply(two.client, "again").why() == error::no_right);
  });
  p.task("client", 2, [&] {
    CHECK(p.send(server, "one", ms(2)).why() == error::timed_out);
    CHECK_EQ(p.send(server, "two").length(), 6u);
  });
  p.run();
}

TEST_CASE("a late reply after a timeout is refused, and does not end the client's next call") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    const message m = p.receive();
    p.sleep(ms(5));
    CHECK(p.reply(m.client, "late").why() == error::no_right);
    p.reply(p.receive().client, "new");
  });
  p.task("client", 2, [&] {
    p.send(server, "old", ms(2));
    p.sleep(ms(1));
    p.send(server, "new");
  });
  p.run();
  CHECK_LOG(p, "client sends server", "server receives", "server took 'old' from client", "server sleeps", "at 2 ms",
            "client send: timed_out", "client sleeps", "at 3 ms", "client wakes", "client sends server", "at 5 ms",
            "server wakes", "server replies to client", "server reply: no_right", "server receives",
            "server took 'new' from client", "server replies to client", "client got 'new'", "client ends",
            "server ends");
}

TEST_CASE("a timeout that is long enough is not heard: the reply comes first") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    const message m = p.receive(ms(9));
    p.sleep(ms(2));
    p.reply(m.client, "ok");
    p.sleep(ms(20));
  });
  p.task("client", 2, [&] {
    p.sleep(ms(1));
    p.send(server, "hi", ms(5));
    p.sleep(ms(20));
  });
  p.run();
  CHECK_LOG(p, "client sleeps", "server receives", "at 1 ms", "client wakes", "client sends server",
            "server took 'hi' from client", "server sleeps", "at 3 ms", "server wakes", "server replies to client",
            "client got 'ok'", "client sleeps", "server sleeps", "at 23 ms", "client wakes", "client ends",
            "server wakes", "server ends");
}

TEST_CASE("0 does not wait: what can be done at once is done, else it is would_wait") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    message m = p.receive(0);
    CHECK(m);
    m = p.reply_receive(m.client, "ok", 0);
    CHECK(m.result.why() == error::would_wait);
    CHECK(p.receive(0).result.why() == error::would_wait);
    CHECK(p.wait_interrupt_event(1, 0).why() == error::would_wait);
    CHECK(p.wait_notification(2, 0).result.why() == error::would_wait);
    kernel::from_interrupt::raise_event(p.system, 1);
    CHECK(p.wait_interrupt_event(1, 0));
    CHECK(kernel::notify(kernel::my_tid(), 2));
    CHECK_EQ(p.wait_notification(2, 0).bits, 2u);
    CHECK(p.sleep(0));
  });
  p.task("client", 2, [&] {
    CHECK(p.send(server, "hi", 0).why() == error::would_wait);
    p.send(server, "hi");
  });
  p.run();
  CHECK_LOG(p, "client sends server", "client send: would_wait", "client sends server", "server receives",
            "server took 'hi' from client", "server replies to client and receives", "client got 'ok'", "client ends",
            "server reply_receive: would_wait", "server receives", "server receive: would_wait",
            "server awaits event 1", "server event 1: would_wait", "server awaits notification",
            "server notification: would_wait", "server awaits event 1", "server event 1: none",
            "server awaits notification", "server notified 2", "server sleeps", "server wakes", "server ends");
}

TEST_CASE("more than longest_timeout, and less than forever, is bad_timeout, and nothing has happened") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] { p.receive(ms(1)); });
  p.task("client", 2, [&] {
    const tick bad = kernel::longest_timeout + 1;
    CHECK(p.send(server, "hi", bad).why() == error::bad_timeout);
    CHECK(p.receive(bad).result.why() == error::bad_timeout);
    CHECK(p.wait_interrupt_event(0, bad).why() == error::bad_timeout);
    CHECK(p.wait_notification(1, bad).result.why() == error::bad_timeout);
    CHECK(p.sleep(bad).why() == error::bad_timeout);
    CHECK(p.sleep(kernel::unlimited).why() == error::bad_timeout);
  });
  p.run();
  CHECK_LOG(p, "client sends server", "client send: bad_timeout", "client receives", "client receive: bad_timeout",
            "client awaits event 0", "client event 0: bad_timeout", "client awaits notification",
            "client notification: bad_timeout", "client sleeps", "client sleep: bad_timeout", "client sleeps",
            "client sleep: bad_timeout", "client ends", "server receives", "at 1 ms", "server receive: timed_out",
            "server ends");
}

TEST_CASE("the longest timeout comes when it is due") {
  program p;
  p.task("patient", 2, [&] { CHECK(p.receive(kernel::longest_timeout).result.why() == error::timed_out); });
  p.run();
  CHECK_EQ(port::now(), kernel::longest_timeout);
}

TEST_CASE("timeouts end in the order of their times, and of their beginning where that is the same") {
  program p;
  for (const char* name : {"c", "a", "b"}) {
    const uint32_t wait = *name == 'c' ? 3 : 1;
    p.task(name, 2, [&, wait] { p.sleep(ms(wait)); });
  }
  p.run();
  CHECK_LOG(p, "c sleeps", "a sleeps", "b sleeps", "at 1 ms", "a wakes", "a ends", "b wakes", "b ends", "at 3 ms",
            "c wakes", "c ends");
}

TEST_CASE("sleepers sleep until their time while others work") {
  program p;
  p.task("sleeper", 3, [&] {
    p.sleep(ms(4));
    p.sleep(ms(4));
  });
  p.task("worker", 1, [&] { p.work(10); });
  p.run();
  CHECK_LOG(p, "sleeper sleeps", "worker works", "at 4 ms", "sleeper wakes", "sleeper sleeps", "at 8 ms",
            "sleeper wakes", "sleeper ends", "at 10 ms", "worker ends");
}

TEST_CASE("timeouts come right when the clock wraps meanwhile") {
  program p;
  sim::clock::get().now = static_cast<tick>(0) - ms(2);
  tick waited = 0;
  p.task("sleeper", 3, [&] {
    const tick from = kernel::now();
    CHECK(kernel::receive(nullptr, 0, ms(5)).result.why() == error::timed_out);
    waited = kernel::now() - from;
  });
  p.run();
  CHECK_EQ(waited, ms(5));
}
