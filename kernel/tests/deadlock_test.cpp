// SPDX-License-Identifier: MIT
#include <baton/test/text.hpp>
#include <program.hpp>

// A send that would close a cycle is refused at once, and the cycle can be printed.

using namespace baton;
using kernel::error;
using test::ms;
using test::program;

namespace {

test::text_sink<300> printed;

void print_it(const kernel::kernel_state&, const kernel::tcb& from, const kernel::tcb& to) {
  kernel::print_cycle(printed, from, to);
}

/// Runs `length` tasks that each send to the next, and returns the error of the last one, which
/// closes the cycle. Then that task ends, and the sends of the others end with peer_gone.
error close_cycle(uint8_t length, bool is_timed, bool is_received) {
  program p;
  printed = {};
  p.system.on_deadlock = print_it;
  static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  kernel::tid ids[8];
  error told = error::none;
  uint8_t gone = 0;
  for (uint8_t i = 0; i < length; ++i) {
    const kernel::priority priority = i + 1 == length ? 1 : 2;
    ids[i] = p.task(names[i], priority, [&, i] {
      const time_limit timeout = is_timed ? ticks(ms(100)) : time_limit(forever);
      if (i + 1 == length) {
        if (is_received) kernel::receive(nullptr, 0);
        const tick before = port::now();
        told = kernel::send(ids[0], nullptr, 0, nullptr, 0, timeout).why();
        CHECK_EQ(port::now(), before);
      } else {
        gone += kernel::send(ids[i + 1], nullptr, 0, nullptr, 0, timeout).why() == error::peer_gone;
      }
    });
  }
  p.run();
  CHECK_EQ(gone, length - 1);
  return told;
}

}  // namespace

TEST_CASE("a cycle of one, two, three and more is refused at once and printed whole") {
  for (bool is_timed : {false, true}) {
    for (bool is_received : {false, true}) {
      if (!is_received) {
        CHECK(close_cycle(1, is_timed, false) == error::deadlock);
        CHECK_TEXT(printed, "deadlock: a -> a\r\n");
      }
      CHECK(close_cycle(2, is_timed, is_received) == error::deadlock);
      CHECK_TEXT(printed, "deadlock: b -> a -> b\r\n");
      CHECK(close_cycle(3, is_timed, is_received) == error::deadlock);
      CHECK_TEXT(printed, "deadlock: c -> a -> b -> c\r\n");
      CHECK(close_cycle(8, is_timed, is_received) == error::deadlock);
      CHECK_TEXT(printed, "deadlock: h -> a -> b -> c -> d -> e -> f -> g -> h\r\n");
    }
  }
}

TEST_CASE("a long chain without a cycle is no deadlock") {
  program p;
  printed = {};
  p.system.on_deadlock = print_it;
  const kernel::tid last = p.task("last", 1, [&] {
    p.sleep(ms(1));
    p.reply(p.receive().client, "ok");
  });
  const kernel::tid middle = p.task("middle", 2, [&] {
    const test::message m = p.receive();
    p.send(last, "hi");
    p.reply(m.client, "ok");
  });
  p.task("first", 3, [&] { p.send(middle, "hi"); });
  p.run();
  CHECK_EQ(printed.used, 0);
  CHECK_LOG(p, "first sends middle", "middle receives", "middle took 'hi' from first", "middle sends last",
            "last sleeps", "at 1 ms", "last wakes", "last receives", "last took 'hi' from middle",
            "last replies to middle", "middle got 'ok'", "middle replies to first", "first got 'ok'", "first ends",
            "middle ends", "last ends");
}

TEST_CASE("who is refused has sent nothing, and serves its client as before") {
  program p;
  kernel::tid server;
  const kernel::tid client = p.task("client", 1, [&] {
    p.send(server, "hi");
    p.receive(ms(1));
  });
  server = p.task("server", 2, [&] {
    const test::message m = p.receive();
    p.send(client, "and you?");
    p.reply(m.client, "ok");
  });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server sends client",
            "server send: deadlock", "server replies to client", "server ends", "client got 'ok'", "client receives",
            "at 1 ms", "client receive: timed_out", "client ends");
}
