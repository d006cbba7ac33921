// SPDX-License-Identifier: MIT
#include <program.hpp>

// The gaps of the published kernel (docs/kernel.md lists them). Each is closed by a case with its
// number.

using namespace baton;
using kernel::error;
using test::message;
using test::ms;
using test::program;

TEST_CASE("gap 1: a client in reply_wait on a server that exits is told peer_gone") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    p.receive();
    p.sleep(ms(1));
  });
  p.task("client", 1, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server sleeps", "at 1 ms",
            "server wakes", "server ends", "client send: peer_gone", "client ends");
}

TEST_CASE("gap 2: a stale id reaches nobody, though its slot has a new task") {
  program p;
  p.task("parent", 3, [&] {
    const kernel::tid old = p.task("old", 4, [&] { p.mark("runs"); });
    const kernel::tid anew = p.task("new", 2, [&] { p.receive(ms(5)); });
    CHECK_EQ(old & 0xff, anew & 0xff);
    CHECK(old != anew);
    CHECK(p.send(old, "hi").why() == error::bad_task);
    CHECK(p.kill(old).why() == error::bad_task);
    CHECK(kernel::notify(old, 1).why() == error::bad_task);
  });
  p.run();
  CHECK_LOG(p, "old runs", "old ends", "parent sends old", "parent send: bad_task", "parent kills old",
            "parent kill: bad_task", "parent ends", "new receives", "at 5 ms", "new receive: timed_out", "new ends");
}

TEST_CASE("gap 3: whoever gets a truncated message or reply learns its length") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    const message m = p.receive(kernel::unlimited, 3);
    CHECK(m.result.is_longer_than(3));
    CHECK_EQ(m.result.length(), 5u);
    CHECK_EQ(p.reply(m.client, "goodbye").length(), 2u);  // the bytes that fitted
  });
  p.task("client", 1, [&] {
    const kernel::ipc_result o = p.send(server, "hello", kernel::unlimited, 2);
    CHECK(o.is_longer_than(2));
    CHECK_EQ(o.length(), 7u);
  });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hel' of 5 from client",
            "server replies to client", "server ends", "client got 'go' of 7", "client ends");
}

TEST_CASE("gap 4: a negative length is refused, and no buffer overflows") {
  program p;
  const kernel::word negative = static_cast<kernel::word>(-4);
  const kernel::tid server = p.task("server", 2, [&] {
    char buffer[4] = {1, 2, 3, 4};
    CHECK(kernel::receive(buffer, negative).result.why() == error::bad_buffer);
    CHECK(kernel::reply_receive(kernel::no_client, nullptr, 0, buffer, negative).result.why() == error::bad_buffer);
    const kernel::received m = kernel::receive(buffer, 2);
    CHECK_EQ(m.length(), 4u);
    CHECK_EQ(buffer[2], 3);
    CHECK(kernel::reply(m.client, "no", negative).why() == error::bad_buffer);
    CHECK(kernel::reply(m.client, "yes", 3));
  });
  p.task("client", 1, [&] {
    char reply[4] = {};
    CHECK(kernel::send(server, "abcd", negative, reply, 4).why() == error::bad_buffer);
    CHECK(kernel::send(server, "abcd", 4, reply, negative).why() == error::bad_buffer);
    CHECK(kernel::send(server, "abcd", 4, reply, 2));
    CHECK_EQ(reply[2], 0);
  });
  p.run();
}

TEST_CASE("gap 5: a send that would wait for itself is refused as a deadlock") {
  program p;
  kernel::tid b;
  const kernel::tid a = p.task("a", 1, [&] { p.send(b, "hi"); });
  b = p.task("b", 2, [&] {
    p.sleep(ms(1));
    CHECK(p.send(a, "hi").why() == error::deadlock);
    p.reply(p.receive().client, "ok");
  });
  p.run();
  CHECK_LOG(p, "b sleeps", "a sends b", "at 1 ms", "b wakes", "b sends a", "b send: deadlock", "b receives",
            "b took 'hi' from a", "b replies to a", "b ends", "a got 'ok'", "a ends");
}

TEST_CASE("gap 6: only who has received a message may reply to it") {
  program p;
  kernel::reply_token client = kernel::no_client;
  const kernel::tid server = p.task("server", 1, [&] {
    client = p.receive().client;
    p.sleep(ms(2));
    p.reply(client, "mine");
  });
  p.task("client", 2, [&] { p.send(server, "hi"); });
  p.task("stranger", 3, [&] {
    p.sleep(ms(1));
    CHECK(p.reply(client, "not mine").why() == error::no_right);
  });
  p.run();
  CHECK_LOG(p, "stranger sleeps", "client sends server", "server receives", "server took 'hi' from client",
            "server sleeps", "at 1 ms", "stranger wakes", "stranger replies to client", "stranger reply: no_right",
            "stranger ends", "at 2 ms", "server wakes", "server replies to client", "client got 'mine'", "client ends",
            "server ends");
}

TEST_CASE("gap 7: a server works at its most urgent client's priority, whom it serves first") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(2));
    for (uint8_t i = 0; i < 2; ++i) {
      const message m = p.receive();
      p.work(10);
      p.reply(m.client, "ok");
    }
  });
  p.task("low", 2, [&] { p.send(server, "low"); });
  p.task("high", 5, [&] {
    p.sleep(ms(1));
    p.send(server, "high");
  });
  p.task("middle", 3, [&] {
    p.sleep(ms(4));
    p.mark("has waited");
  });
  p.run();
  CHECK_LOG(p, "high sleeps", "middle sleeps", "low sends server", "server sleeps", "at 1 ms", "high wakes",
            "high sends server", "at 2 ms", "server wakes", "server receives", "server took 'high' from high",
            "server works", "at 12 ms", "server replies to high", "high got 'ok'", "high ends", "middle wakes",
            "middle has waited", "middle ends", "server receives", "server took 'low' from low", "server works",
            "at 22 ms", "server replies to low", "low got 'ok'", "low ends", "server ends");
}

TEST_CASE("gap 8: whatever waits has a timeout") {
  program p;
  const kernel::tid silent = p.task("silent", 1, [&] {
    p.receive(ms(10));
    p.sleep(ms(10));
  });
  p.task("impatient", 2, [&] {
    CHECK(p.receive(ms(1)).result.why() == error::timed_out);
    CHECK(p.reply_receive(kernel::no_client, "", ms(1)).result.why() == error::timed_out);
    CHECK(p.wait_interrupt_event(0, ms(1)).why() == error::timed_out);
    CHECK(p.wait_notification(1, ms(1)).result.why() == error::timed_out);
    CHECK(p.send(silent, "hi", ms(1)).why() == error::timed_out);
    CHECK(p.sleep(ms(1)));
  });
  p.run();
  CHECK_LOG(p, "impatient receives", "silent receives", "at 1 ms", "impatient receive: timed_out",
            "impatient replies to nobody and receives", "at 2 ms", "impatient reply_receive: timed_out",
            "impatient awaits event 0", "at 3 ms", "impatient event 0: timed_out", "impatient awaits notification",
            "at 4 ms", "impatient notification: timed_out", "impatient sends silent", "silent took 'hi' from impatient",
            "silent sleeps", "at 5 ms", "impatient send: timed_out", "impatient sleeps", "at 6 ms", "impatient wakes",
            "impatient ends", "at 14 ms", "silent wakes", "silent ends");
}

TEST_CASE("gap 9: a bad event and a second waiter are errors") {
  program p;
  p.task("first", 2, [&] { p.wait_interrupt_event(7, ms(5)); });
  p.task("second", 1, [&] {
    CHECK(p.wait_interrupt_event(8).why() == error::bad_event);
    CHECK(p.wait_interrupt_event(255).why() == error::bad_event);
    CHECK(p.wait_interrupt_event(7).why() == error::busy);
  });
  kernel::from_interrupt::raise_event(p.system, 200);  // nobody's
  p.run();
  CHECK_LOG(p, "first awaits event 7", "second awaits event 8", "second event 8: bad_event", "second awaits event 255",
            "second event 255: bad_event", "second awaits event 7", "second event 7: busy", "second ends", "at 5 ms",
            "first event 7: timed_out", "first ends");
}

TEST_CASE("gap 10: the application says how large the tables are, and a full one is an error") {
  static kernel::system<2, 3> small;
  static kernel::stack<16384> stacks[3];
  const auto end = [](void*) {};
  CHECK(small.create(kernel::describe(1, end, stacks[0], "a")));
  CHECK(small.create(kernel::describe(3, end, stacks[1], "b")).result.why() == error::bad_priority);
  CHECK(small.create(kernel::describe(2, end, stacks[1], "b")));
  CHECK(small.create(kernel::describe(1, end, stacks[2], "c")).result.why() == error::table_full);
  small.run();
  CHECK(small.create(kernel::describe(1, end, stacks[2], "c")));
  small.run();
}

TEST_CASE("gap 11: a task that sends to itself is told deadlock") {
  program p;
  p.task("narcissus", 1, [&] {
    CHECK(p.send(kernel::my_tid(), "hi").why() == error::deadlock);
    CHECK(p.send(kernel::my_tid(), "hi", ms(1)).why() == error::deadlock);
  });
  p.run();
  CHECK_LOG(p, "narcissus sends narcissus", "narcissus send: deadlock", "narcissus sends narcissus",
            "narcissus send: deadlock", "narcissus ends");
}

namespace {

kernel::fault why_ended;
const char* who_ended;

void note_fault(const kernel::kernel_state&, const kernel::tcb& t, kernel::fault why, kernel::word) {
  why_ended = why;
  who_ended = t.name;
}

}  // namespace

TEST_CASE("gap 12: who overflows its stack is ended by name, and the others go on") {
  static kernel::system<2> system;
  static kernel::stack<8192> small;
  static kernel::stack<65536> large;
  static bool has_gone_on;
  system.on_fault = note_fault;
  who_ended = nullptr;
  has_gone_on = false;
  const auto overflow = [](void*) {
    small.words[0] = 0;  // as the deepest call would
    kernel::yield();
    who_ended = "nobody";
  };
  const auto go_on = [](void*) {
    kernel::yield();
    has_gone_on = true;
  };
  CHECK(system.create(kernel::describe(1, overflow, small, "recursive")));
  CHECK(system.create(kernel::describe(1, go_on, large, "other")));
  system.run();
  CHECK_EQ(std::string(who_ended ? who_ended : ""), "recursive");
  CHECK(why_ended == kernel::fault::stack_overflow);
  CHECK(has_gone_on);
}
