// SPDX-License-Identifier: MIT
#include <program.hpp>

// Whole traces of send, receive and reply. hand_over_test.cpp has the hand-overs, timeout_test.cpp
// the timeouts.

using namespace baton;
using kernel::error;
using test::message;
using test::ms;
using test::program;

TEST_CASE("receiver first: a send to a waiting server skips the queue") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] { p.reply(p.receive().client, "ok"); });
  p.task("client", 1, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server replies to client",
            "server ends", "client got 'ok'", "client ends");
}

TEST_CASE("sender first: a message waits until the server asks for one") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] { p.reply(p.receive().client, "ok"); });
  p.task("client", 2, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "client sends server", "server receives", "server took 'hi' from client", "server replies to client",
            "client got 'ok'", "client ends", "server ends");
}

TEST_CASE("a server may reply later, in any order, to any number of clients") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    const message first = p.receive();
    const message second = p.receive();
    p.reply(second.client, "2");
    p.reply(first.client, "1");
  });
  p.task("a", 1, [&] { p.send(server, "a"); });
  p.task("b", 1, [&] { p.send(server, "b"); });
  p.run();
  CHECK_LOG(p, "server receives", "a sends server", "server took 'a' from a", "server receives", "b sends server",
            "server took 'b' from b", "server replies to b", "server replies to a", "server ends", "b got '2'",
            "b ends", "a got '1'", "a ends");
}

TEST_CASE("senders are served by priority, and in order of their coming where that is the same") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(3));
    for (uint8_t i = 0; i < 4; ++i) p.reply(p.receive().client, "ok");
  });
  p.task("c", 2, [&] { p.send(server, "c"); });
  for (const char* name : {"b1", "b2"}) {
    p.task(name, 3, [&, name] {
      p.sleep(ms(1));
      p.send(server, name);
    });
  }
  p.task("a", 4, [&] {
    p.sleep(ms(2));
    p.send(server, "a");
  });
  p.run();
  CHECK_LOG(p, "a sleeps", "b1 sleeps", "b2 sleeps", "c sends server", "server sleeps", "at 1 ms", "b1 wakes",
            "b1 sends server", "b2 wakes", "b2 sends server", "at 2 ms", "a wakes", "a sends server", "at 3 ms",
            "server wakes", "server receives", "server took 'a' from a", "server replies to a", "a got 'ok'", "a ends",
            "server receives", "server took 'b1' from b1", "server replies to b1", "server receives",
            "server took 'b2' from b2", "server replies to b2", "b1 got 'ok'", "b1 ends", "b2 got 'ok'", "b2 ends",
            "server receives", "server took 'c' from c", "server replies to c", "c got 'ok'", "c ends", "server ends");
}

TEST_CASE("reply_receive serves client after client, and takes a message that waits at once") {
  program p;
  const kernel::tid server = p.task("server", 3, [&] {
    message m = p.receive();
    for (uint8_t i = 0; i < 2; ++i) m = p.reply_receive(m.client, "ok");
    p.reply(m.client, "last");
  });
  p.task("a", 2, [&] { p.send(server, "a"); });
  p.task("b", 2, [&] { p.send(server, "b"); });
  p.task("c", 1, [&] { p.send(server, "c"); });
  p.run();
  CHECK_LOG(p, "server receives", "a sends server", "server took 'a' from a", "server replies to a and receives",
            "a got 'ok'", "a ends", "b sends server", "server took 'b' from b", "server replies to b and receives",
            "b got 'ok'", "b ends", "c sends server", "server took 'c' from c", "server replies to c", "server ends",
            "c got 'last'", "c ends");
}

TEST_CASE("reply_receive with a message that waits goes on unless the client is more urgent") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    message m = p.receive();
    p.sleep(ms(1));
    m = p.reply_receive(m.client, "ok");
    p.reply(m.client, "ok");
  });
  p.task("b", 2, [&] { p.send(server, "b"); });
  p.task("a", 3, [&] { p.send(server, "a"); });
  p.run();
  CHECK_LOG(p, "a sends server", "server receives", "server took 'a' from a", "server sleeps", "b sends server",
            "at 1 ms", "server wakes", "server replies to a and receives", "a got 'ok'", "a ends",
            "server took 'b' from b", "server replies to b", "b got 'ok'", "b ends", "server ends");
}

TEST_CASE("reply_receive that may not reply does not receive either") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    CHECK(p.reply_receive({0x177}, "ok").result.why() == error::no_right);
    CHECK(p.reply_receive({kernel::my_tid()}, "ok").result.why() == error::no_right);
    p.reply(p.receive().client, "ok");
  });
  p.task("client", 2, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "client sends server", "server replies to ? and receives", "server reply_receive: no_right",
            "server replies to server and receives", "server reply_receive: no_right", "server receives",
            "server took 'hi' from client", "server replies to client", "client got 'ok'", "client ends",
            "server ends");
}

TEST_CASE("an empty message and an empty reply need no memory") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    const kernel::received m = kernel::receive(nullptr, 0);
    CHECK(m);
    CHECK_EQ(m.length(), 0u);
    CHECK_EQ(kernel::reply(m.client, nullptr, 0).raw(), 0u);
    const kernel::received second = kernel::receive(nullptr, 0);
    CHECK(second.result.is_longer_than(0));
    CHECK_EQ(kernel::reply(second.client, "abc", 3).length(), 0u);
  });
  p.task("client", 1, [&] {
    CHECK_EQ(kernel::send(server, nullptr, 0, nullptr, 0).raw(), 0u);
    CHECK_EQ(kernel::send(server, "abc", 3, nullptr, 0).length(), 3u);
  });
  p.run();
}

TEST_CASE("the longest message arrives whole, one byte more is refused") {
  static char out[0x10000], in[0x10000];
  program p;
  for (uint32_t i = 0; i < sizeof out; ++i) out[i] = static_cast<char>(i * 7 + i / 251);
  const kernel::tid server = p.task("server", 2, [&] {
    const kernel::received m = kernel::receive(in, kernel::longest_message);
    CHECK_EQ(m.length(), kernel::longest_message);
    CHECK_EQ(memcmp(in, out, kernel::longest_message), 0);
    kernel::reply(m.client, in, kernel::longest_message);
  });
  p.task("client", 1, [&] {
    CHECK(kernel::send(server, out, kernel::longest_message + 1, nullptr, 0).why() == error::bad_buffer);
    CHECK_EQ(kernel::send(server, out, kernel::longest_message, out, kernel::longest_message).length(),
             kernel::longest_message);
  });
  p.run();
}

TEST_CASE("a second reply to the same message is refused") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    const message m = p.receive();
    p.reply(m.client, "1");
    CHECK(p.reply(m.client, "2").why() == error::no_right);
  });
  p.task("client", 1, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server replies to client",
            "server replies to client", "server reply: no_right", "server ends", "client got '1'", "client ends");
}

TEST_CASE("a reply to who has sent, but was not received, is refused") {
  program p;
  kernel::tid client = kernel::no_task;
  const kernel::tid server = p.task("server", 1, [&] {
    CHECK(p.reply({p.system.find(client)->token}, "early").why() == error::no_right);
    p.reply(p.receive().client, "ok");
  });
  client = p.task("client", 2, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "client sends server", "server replies to client", "server reply: no_right", "server receives",
            "server took 'hi' from client", "server replies to client", "client got 'ok'", "client ends",
            "server ends");
}
