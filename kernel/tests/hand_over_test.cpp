// SPDX-License-Identifier: MIT
#include <program.hpp>

// A message and its reply hand the processor over directly, past tasks that are as urgent, but not
// for ever.

using namespace baton;
using test::program;

namespace {

/// Counts the round trips of a client between two turns of a task that is as urgent as it and its
/// server.
void count_round_trips(bool by_reply_receive) {
  program p;
  uint32_t trips = 0;
  uint32_t most = 0;
  uint32_t turns = 0;
  char m[4];
  const kernel::tid server = p.task("server", 2, [&] {
    kernel::received r = kernel::receive(m, sizeof m);
    for (;;) {
      if (by_reply_receive) {
        r = kernel::reply_receive(r.client, m, 1, m, sizeof m);
      } else {
        kernel::reply(r.client, m, 1);
        r = kernel::receive(m, sizeof m);
      }
    }
  });
  p.task("client", 2, [&] {
    char reply;
    for (uint16_t i = 0; i < 300; ++i) trips += kernel::send(server, "a", 1, &reply, 1).is_ok();
  });
  p.task("other", 2, [&] {
    uint32_t before = 0;
    while (trips < 300) {
      if (trips - before > most) most = trips - before;
      before = trips;
      ++turns;
      kernel::yield();
    }
  });
  p.run();
  CHECK_EQ(trips, 300);
  CHECK(most <= 16);
  CHECK((!by_reply_receive || most > 1));
  CHECK(turns >= 300 / 16);
}

}  // namespace

TEST_CASE(
    "after sixteen hand-overs at most another task that is as urgent runs, whether a server replies and receives in "
    "two calls") {
  count_round_trips(false);
}

TEST_CASE("after sixteen hand-overs at most another task that is as urgent runs, or in one") {
  count_round_trips(true);
}

TEST_CASE("a send hands over before those who are as urgent and were ready first") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] { p.reply(p.receive().client, "ok"); });
  p.task("client", 2, [&] { p.send(server, "hi"); });
  p.task("other", 2, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server replies to client",
            "server ends", "other runs", "other ends", "client got 'ok'", "client ends");
}

TEST_CASE("reply_receive hands over to the client before those who are as urgent and were ready first") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] { p.reply_receive(p.receive().client, "ok"); });
  p.task("client", 2, [&] { p.send(server, "hi"); });
  p.task("other", 2, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client",
            "server replies to client and receives", "client got 'ok'", "client ends", "other runs", "other ends");
}
