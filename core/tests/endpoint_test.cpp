// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

using desk = endpoint<uint8_t, uint8_t>;

struct client : coroutine<client, deadline> {
  client(desk& d, uint8_t question, uint8_t calls = 1) : at_desk(d), left(calls) { x.request = question; }
  point step(point at) {
    BATON_BEGIN();
    for (; left; --left) {
      if (in_time) {
        BATON_WAIT_FOR(milliseconds(10), at_desk.call(x));
      } else {
        BATON_WAIT(at_desk.call(x));
      }
      if (result() == status::ok) {
        MARK("answer", x.reply);
      } else {
        MARK("call ended", result());
      }
    }
    BATON_END();
  }
  desk& at_desk;
  desk::exchange_type x;
  uint8_t left;
  bool in_time = false;
};

/// Answers each question with the number that follows, after `rests` suspensions.
struct server : coroutine<server, serving<uint8_t, uint8_t, deadline>> {
  explicit server(desk& d, uint8_t how_many = 255) : at_desk(d), left(how_many) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left; --left) {
      BATON_WAIT(at_desk.receive(current));
      if (result() != status::ok) {
        MARK("receive ended", result());
        break;
      }
      if (rests) BATON_SUSPEND();
      if (leaves) break;
      replied = at_desk.reply(current, static_cast<uint8_t>(current.request() + 1));
      if (replied != status::ok) MARK("reply ended", replied);
    }
    BATON_END();
  }
  desk& at_desk;
  uint8_t left;
  status replied = status::ok;
  bool rests = false;
  bool leaves = false;
};

struct bystander : coroutine<bystander> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      ++turns;
      BATON_YIELD();
    }
    BATON_END();
  }
  uint16_t turns = 0;
};

}  // namespace

TEST_CASE("a call to a waiting server hands over directly, and the reply runs the client next") {
  desk d;
  server s(d);
  client c(d, 7);
  bystander b;
  NAME(d);
  NAME(s);
  NAME(c);
  NAME(b);
  s.start();
  c.start();
  b.start();
  scheduler::run_for(5);
  CHECK_TRACE("s ready", "c ready", "b ready", "s runs", "s waits d", "c runs", "c waits d", "s ready", "s runs",
              "c ready", "s waits d", "c runs", "answer 8", "c done", "b runs");
}

TEST_CASE("a call without a waiting server queues, and is served first in, first out") {
  desk d;
  client a(d, 10), b(d, 20);
  server s(d);
  NAME(d);
  NAME(a);
  NAME(b);
  NAME(s);
  a.start();
  b.start();
  s.start();
  scheduler::run_for(3);
  CHECK_TRACE("a ready", "b ready", "s ready", "a runs", "a waits d", "b runs", "b waits d", "s runs", "a ready",
              "b ready", "s waits d");
  CHECK_EQ(a.x.reply, 11);
  CHECK_EQ(b.x.reply, 21);
}

TEST_CASE("a reply without a request is told so") {
  desk d;
  served<uint8_t, uint8_t> s;
  CHECK_EQ(d.reply(s, 1), status::peer_gone);
  CHECK(!s.is_open());
  CHECK_EQ(d.try_receive(s), status::empty);
  client c(d, 1);
  c.start();
  scheduler::run_until_idle();
  CHECK_EQ(d.try_receive(s), status::ok);
  CHECK(s.is_open());
  CHECK_EQ(s.request(), 1);
  CHECK_EQ(d.reply(s, 2), status::ok);
  CHECK_EQ(d.reply(s, 3), status::peer_gone);
  scheduler::run();
  CHECK_EQ(c.x.reply, 2);
}

TEST_CASE("a second receive while a request is unanswered is trapped") {
  desk d;
  served<uint8_t, uint8_t> s;
  client a(d, 1), b(d, 2);
  a.start();
  b.start();
  scheduler::run_until_idle();
  CHECK_EQ(d.try_receive(s), status::ok);
  CHECK_TRAPS(try_receive_before_reply, if (d.try_receive(s) == status::ok) MARK("served twice"));
  struct greedy : coroutine<greedy, serving<uint8_t, uint8_t>> {
    explicit greedy(desk& of) : at_desk(of) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(at_desk.receive(current));
      BATON_WAIT(at_desk.receive(current));
      BATON_END();
    }
    desk& at_desk;
  };
  greedy g(d);
  g.start();
  CHECK_TRAPS(receive_before_reply, scheduler::run_until_idle());
}

TEST_CASE("a call that times out in the queue has not happened") {
  desk d;
  client c(d, 1);
  c.in_time = true;
  c.start();
  scheduler::run();
  CHECK(port::now() == milliseconds(10));
  CHECK(c.is_done());
  CHECK_EQ(c.result(), status::timed_out);
  served<uint8_t, uint8_t> s;
  CHECK_EQ(d.try_receive(s), status::empty);
}

TEST_CASE("a call that times out while it is served ends; its reply comes too late") {
  desk d;
  server s(d);
  s.rests = true;
  client c(d, 1);
  c.in_time = true;
  NAME(d);
  NAME(s);
  NAME(c);
  s.start();
  c.start();
  scheduler::run();
  CHECK_TRACE("s ready", "c ready", "s runs", "s waits d", "c runs", "c waits d", "s ready", "s runs", "s waits",
              "c ready", "c runs", "call ended 4", "c done");
  CHECK(port::now() == milliseconds(10));
  CHECK(!s.current.is_open());
  s.resume();
  scheduler::run();
  CHECK_TRACE("s ready", "s runs", "reply ended 6", "s waits d");
}

TEST_CASE("a call that is answered in time leaves no timer behind") {
  desk d;
  server s(d);
  client c(d, 1);
  c.in_time = true;
  s.start();
  c.start();
  scheduler::run_until_idle();
  CHECK(c.is_done());
  CHECK(timers::first() == nullptr);
}

TEST_CASE("a client that is cancelled, suspended, restarted or destroyed while it is served gets no reply") {
  for (uint8_t how = 0; how < 4; ++how) {
    test::start_fresh();
    desk d;
    server s(d);
    s.rests = true;
    {
      client c(d, 1), other(d, 5);
      s.start();
      c.start();
      scheduler::run_until_idle();
      CHECK(s.current.is_open());
      NAME(c);
      if (how == 0) CHECK(c.cancel());
      if (how == 1) c.suspend();
      if (how == 2) c.restart();
      if (how < 3) {
        CHECK(!s.current.is_open());
        s.resume();
        scheduler::run_for(how == 1 ? 1 : 2);
        CHECK_WITH(s.replied == status::peer_gone, how);
        if (how == 1) {
          test::recorder::get().clear();
          c.resume();
          scheduler::run_for(1);
          CHECK_TRACE("c ready", "c runs", "call ended 5", "c done");
        }
        s.rests = false;
        s.resume();
        other.start();
        scheduler::run_until_idle();
        CHECK_EQ(other.x.reply, 6);
      }
    }
    if (how == 3) {
      CHECK(!s.current.is_open());
      s.resume();
      scheduler::run();
      CHECK_EQ(s.replied, status::peer_gone);
    }
  }
}

TEST_CASE("a client whose server is destroyed, restarted or ends gets peer_gone") {
  for (uint8_t how = 0; how < 3; ++how) {
    test::start_fresh();
    desk d;
    client c(d, 1);
    {
      server s(d);
      s.rests = true;
      s.leaves = how == 2;
      s.start();
      c.start();
      scheduler::run_until_idle();
      CHECK(s.current.is_open());
      if (how == 1) s.restart();
      if (how == 2) s.resume();
      scheduler::run_until_idle();
      if (how) CHECK_WITH(c.result() == status::peer_gone, how);
    }
    scheduler::run();
    CHECK_WITH(c.is_done(), how);
    CHECK_WITH(c.result() == status::peer_gone, how);
  }
}

TEST_CASE("a server that is destroyed after the hand-over and before it ran ends its client's wait") {
  desk d;
  client c(d, 1);
  {
    server s(d);
    s.start();
    scheduler::run_until_idle();
    c.start();
    scheduler::run_for(1);
  }
  scheduler::run();
  CHECK(c.is_done());
  CHECK_EQ(c.result(), status::peer_gone);
}

TEST_CASE("close ends the clients and the servers that wait; a request that is being served is still answered") {
  desk d;
  server s(d);
  s.rests = true;
  client a(d, 1), b(d, 2), late(d, 3);
  NAME(a);
  NAME(b);
  NAME(s);
  NAME(late);
  s.start();
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  d.close();
  CHECK(d.is_closed());
  s.resume();
  late.start();
  scheduler::run();
  CHECK_TRACE("b ready", "s ready", "late ready", "b runs", "call ended 3", "b done", "s runs", "a ready", "s runs",
              "receive ended 3", "s done", "a runs", "answer 2", "a done", "late runs", "late runs", "call ended 3",
              "late done");
  served<uint8_t, uint8_t> hold;
  CHECK_EQ(d.try_receive(hold), status::closed);
}

TEST_CASE("hand-overs are bounded: a ready job is not starved by a client and a server") {
  desk d;
  server s(d);
  client c(d, 1, 40);
  bystander b;
  s.start();
  c.start();
  b.start();
  scheduler::run_for(2);  // the server waits, the client has called
  NAME(d);
  NAME(s);
  NAME(c);
  NAME(b);
  uint16_t steps = 0;
  for (uint16_t most = 0, since = 0; !c.is_done(); ++steps) {
    uint16_t turns = b.turns;
    scheduler::run_for(1);
    test::recorder::get().clear();
    since = b.turns == turns ? static_cast<uint16_t>(since + 1) : 0;
    if (since > most) most = since;
    CHECK_WITH(most <= 18, steps);
    if (most > 18) break;
  }
  CHECK(b.turns >= 4);
}

TEST_CASE("the ninth call in a row goes through the queue, where a ready job has its turn") {
  desk d;
  server s(d);
  client c(d, 1, 12);
  bystander b;
  s.start();
  scheduler::run_until_idle();
  c.start();
  b.start();
  scheduler::run_for(15);  // seven calls have their replies, and the eighth call has been made
  MARK("here");
  NAME(d);
  NAME(s);
  NAME(c);
  NAME(b);
  test::recorder::get().clear();
  scheduler::run_for(5);
  CHECK_TRACE("s runs", "c ready", "s waits d", "c runs", "answer 2", "c waits d", "s ready", "b runs", "s runs",
              "c ready", "s waits d", "c runs", "answer 2", "c waits d", "s ready");
}

TEST_CASE("a served that is abandoned ends its client's wait with peer_gone") {
  desk d;
  client c(d, 1);
  c.start();
  scheduler::run_until_idle();
  served<uint8_t, uint8_t> hold;
  CHECK_EQ(d.try_receive(hold), status::ok);
  hold.abandon();
  hold.abandon();
  CHECK(!hold.is_open());
  scheduler::run();
  CHECK(c.is_done());
  CHECK_EQ(c.result(), status::peer_gone);
}
