// SPDX-License-Identifier: MIT
#include "coroutine_program.hpp"

using namespace baton;
using test::ms;
using test::text;

namespace {

using line = kernel::reachable<channel<int>>;
using store = kernel::reachable<channel<int, 2>>;

template <typename Channel>
struct sender : coroutine<sender<Channel>, deadline> {
  sender(Channel& to, int from, int until) : to_(to), value_(from), until_(until) {}
  point step(point at) {
    BATON_BEGIN();
    for (; value_ < until_; ++value_) {
      BATON_WAIT(to_.send(value_));
      if (this->result() != status::ok) break;
      BATON_DELAY_MS(1);
    }
    how = this->result();
    BATON_END();
  }
  Channel& to_;
  int value_;
  int until_;
  status how = status::cancelled;
};

template <typename Channel>
struct receiver : coroutine<receiver<Channel>, deadline> {
  explicit receiver(Channel& from) : from_(from) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from_.receive(value_));
      if (this->result() != status::ok) break;
      got += std::to_string(value_) + " ";
    }
    got += text(this->result());
    BATON_END();
  }
  Channel& from_;
  int value_ = 0;
  std::string got;
};

}  // namespace

TEST_CASE("a task receives what a coroutine sends") {
  test::coroutine_program<> p;
  line c;
  p.coroutines.open(c);
  sender<line> s(c, 1, 4);
  s.start();
  p.task("task", 2, [&] {
    for (int i = 1; i < 4; ++i) {
      int value = 0;
      CHECK_EQ(p.coroutines.receive(c, value), status::ok);
      CHECK_EQ(value, i);
      p.mark("got " + std::to_string(value));
    }
  });
  p.run();
  CHECK_EQ(s.how, status::ok);
  CHECK_LOG(p, "task got 1", "at 1 ms", "task got 2", "at 2 ms", "task got 3", "task ends");
}

TEST_CASE("a coroutine receives what tasks send, in the order of sending") {
  test::coroutine_program<> p;
  line c;
  p.coroutines.open(c);
  receiver<line> r(c);
  r.start();
  p.task("a", 3, [&] {
    CHECK_EQ(p.coroutines.send(c, 1), status::ok);
    CHECK_EQ(p.coroutines.send(c, 2), status::ok);
  });
  p.task("b", 2, [&] {
    CHECK_EQ(p.coroutines.send(c, 3), status::ok);
    CHECK_EQ(p.coroutines.close(c), status::ok);
    CHECK_EQ(p.coroutines.send(c, 4), status::closed);
    CHECK_EQ(p.coroutines.send(c, 4, 0_ms), status::closed);
  });
  p.run();
  CHECK_EQ(r.got, "1 2 3 closed");
}

TEST_CASE("values go from task to task through a channel of the coroutines") {
  test::coroutine_program<> p;
  store c;
  p.coroutines.open(c);
  p.task("sender", 2, [&] {
    for (int i = 0; i < 5; ++i) {
      CHECK_EQ(p.coroutines.send(c, i), status::ok);
      p.mark("sent");
    }
  });
  p.task("receiver", 1, [&] {
    for (int i = 0; i < 5; ++i) {
      int value = -1;
      CHECK_EQ(p.coroutines.receive(c, value, ms(5)), status::ok);
      CHECK_EQ(value, i);
      p.mark("received");
    }
    int value = -1;
    CHECK_EQ(p.coroutines.receive(c, value, ms(5)), status::timed_out);
    CHECK_EQ(value, -1);
  });
  p.run();
  CHECK_LOG(p, "sender sent", "sender sent", "sender sent", "receiver received", "sender sent", "receiver received",
            "sender sent", "sender ends", "receiver received", "receiver received", "receiver received", "at 5 ms",
            "receiver ends");
}

TEST_CASE("a timeout of 0 never waits") {
  test::coroutine_program<> p;
  store c;
  line rendezvous;
  p.coroutines.open(c);
  p.coroutines.open(rendezvous);
  p.task("task", 2, [&] {
    int value = 7;
    CHECK_EQ(p.coroutines.receive(c, value, 0_ms), status::empty);
    CHECK_EQ(p.coroutines.send(rendezvous, 1, 0_ms), status::full);
    CHECK_EQ(p.coroutines.receive(rendezvous, value, 0_ms), status::empty);
    CHECK_EQ(p.coroutines.send(c, 1, 0_ms), status::ok);
    CHECK_EQ(p.coroutines.send(c, 2, 0_ms), status::ok);
    CHECK_EQ(p.coroutines.send(c, 3, 0_ms), status::full);
    CHECK_EQ(p.coroutines.receive(c, value, 0_ms), status::ok);
    CHECK_EQ(value, 1);
  });
  p.run();
  CHECK_EQ(port::now(), tick{0});
}

TEST_CASE("an operation that times out has not happened") {
  test::coroutine_program<> p;
  line c;
  p.coroutines.open(c);
  p.task("task", 2, [&] {
    int value = 5;
    CHECK_EQ(p.coroutines.send(c, 1, ms(3)), status::timed_out);
    CHECK_EQ(port::now(), ms(3));
    CHECK_EQ(p.coroutines.receive(c, value, ms(4)), status::timed_out);
    CHECK_EQ(port::now(), ms(7));
    CHECK_EQ(value, 5);
    CHECK_EQ(p.coroutines.receive(c, value, 0_ms), status::empty);  // the 1 was not sent
  });
  p.run();
}

TEST_CASE("a channel that is closed ends the waits of tasks") {
  test::coroutine_program<> p;
  line c;
  store s;
  p.coroutines.open(c);
  p.coroutines.open(s);
  p.task("receiver", 2, [&] {
    int value = 5;
    CHECK_EQ(p.coroutines.receive(c, value), status::closed);
    CHECK_EQ(p.coroutines.receive(c, value, ms(1)), status::closed);
    CHECK_EQ(value, 5);
    p.mark("closed");
  });
  p.task("other", 1, [&] {
    CHECK_EQ(p.coroutines.send(s, 8), status::ok);
    CHECK_EQ(p.coroutines.close(s), status::ok);
    int value = 0;
    CHECK_EQ(p.coroutines.receive(s, value), status::ok);  // the stored values come first
    CHECK_EQ(value, 8);
    CHECK_EQ(p.coroutines.receive(s, value), status::closed);
    kernel::sleep(ms(2));
    CHECK_EQ(p.coroutines.close(c), status::ok);
  });
  p.run();
  CHECK_LOG(p, "at 2 ms", "receiver closed", "receiver ends", "other ends");
}

TEST_CASE("a task that ends while it waits leaves nothing behind") {
  test::coroutine_program<> p;
  line c;
  p.coroutines.open(c);
  int value = 0;
  const kernel::tid getter = p.task("getter", 3, [&] { p.coroutines.receive(c, value); });
  const kernel::tid giver = p.task("giver", 3, [&] {
    kernel::sleep(ms(2));
    p.coroutines.send(c, 1);
  });
  p.task("main", 2, [&] {
    kernel::sleep(ms(1));
    CHECK(kernel::kill(getter));
    kernel::sleep(ms(2));
    CHECK(kernel::kill(giver));
    CHECK_EQ(p.coroutines.send(c, 9, 0_ms), status::full);          // no task receives
    CHECK_EQ(p.coroutines.receive(c, value, 0_ms), status::empty);  // no task sends
  });
  p.run();
  CHECK_EQ(value, 0);
  CHECK_EQ(dropped_values(), 0);
}

TEST_CASE("a request that its client has given up takes no value from the next one") {
  test::coroutine_program<> p;
  line c;
  p.coroutines.open(c);
  p.task("hasty", 3, [&] {
    // The request is made by hand, because the coroutine server's own functions leave the time to
    // the coroutine server.
    const kernel::operation_request receive = {&c, kernel::unlimited, 1, 0, 0};
    kernel::operation_answer a;
    CHECK_EQ(kernel::send(p.coroutines.id(), &receive, sizeof receive, &a, sizeof a, ms(1)).why(),
             kernel::error::timed_out);
    CHECK_EQ(p.coroutines.send(c, 1, 0_ms), status::full);  // no task receives any more
    int value = 0;
    CHECK_EQ(p.coroutines.receive(c, value, ms(5)), status::ok);
    CHECK_EQ(value, 8);
  });
  p.task("sender", 2, [&] {
    kernel::sleep(ms(2));
    CHECK_EQ(p.coroutines.send(c, 8, ms(1)), status::ok);
  });
  p.run();
  CHECK_EQ(dropped_values(), 0);
}

TEST_CASE("a value that was handed over to a task that has ended is counted as lost") {
  // The coroutine server is less urgent than the killer: it has the request, but has not run since.
  test::coroutine_program<> p(1);
  line c;
  p.coroutines.open(c);
  struct giver : coroutine<giver, deadline> {
    explicit giver(line& to) : to_(to) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_DELAY_MS(1);
      CHECK_EQ(to_.try_send(value_), status::ok);  // the task's job is ready, and holds the value
      sim::advance(ms(1));
      kernel::notify(killer, 1);
      BATON_END();
    }
    line& to_;
    int value_ = 3;
    kernel::tid killer = kernel::no_task;
  };
  giver g(c);
  int value = 0;
  const kernel::tid getter = p.task("getter", 0, [&] { p.coroutines.receive(c, value); });
  g.killer = p.task("killer", 3, [&] {
    CHECK(kernel::wait_notification(1));
    CHECK(kernel::kill(getter));
  });
  g.start();
  p.run();
  CHECK_EQ(value, 0);
  CHECK_EQ(dropped_values(), 1);
}

TEST_CASE("a coroutine server whose slots are all taken says full, and one that has ended says peer_gone") {
  test::coroutine_program<2> p;
  line c;
  store s;
  p.coroutines.open(c);
  p.coroutines.open(s);
  for (const char* name : {"a", "b"}) {
    p.task(name, 3, [&] {
      int value;
      CHECK_EQ(p.coroutines.receive(c, value), status::peer_gone);
    });
  }
  p.task("c", 2, [&] {
    int value = 0;
    CHECK_EQ(p.coroutines.receive(c, value), status::full);
    CHECK_EQ(p.coroutines.send(s, 1), status::full);  // the send might have to wait
    CHECK_EQ(p.coroutines.send(s, 1, 0_ms), status::ok);
    CHECK(kernel::kill(p.coroutines.id()));
    CHECK_EQ(p.coroutines.send(s, 1, 0_ms), status::peer_gone);
  });
  p.run();
}

TEST_CASE("what is not a request, not open, or of another size is refused, and the coroutine server goes on") {
  test::coroutine_program<> p;
  line open, closed;
  p.coroutines.open(open);
  p.task("task", 2, [&] {
    int value = 0;
    CHECK_EQ(p.coroutines.receive(closed, value), status::no_right);
    {
      line passing;
      p.coroutines.open(passing);
      CHECK_EQ(p.coroutines.receive(passing, value, ms(1)), status::timed_out);
    }
    CHECK_EQ(p.coroutines.receive(open, value, baton::spi::limit_of_ticks(longest_delay + 1)), status::no_right);
    kernel::operation_answer a = {status::ok, 0, 0};
    CHECK(kernel::send(p.coroutines.id(), "rubbish", 7, &a, sizeof a));
    CHECK_EQ(a.how, status::no_right);
    kernel::operation_request r = {reinterpret_cast<kernel::reachable_base*>(16), 0, 0, 0, 0};
    CHECK(kernel::send(p.coroutines.id(), &r, sizeof r, &a, sizeof a));
    CHECK_EQ(a.how, status::no_right);
    r.door = &open;
    r.operation = 200;
    CHECK(kernel::send(p.coroutines.id(), &r, sizeof r, &a, sizeof a));
    CHECK_EQ(a.how, status::no_right);
    r.operation = 0;  // a send without a value
    CHECK(kernel::send(p.coroutines.id(), &r, sizeof r, &a, sizeof a));
    CHECK_EQ(a.how, status::no_right);
    char huge[1000] = {};
    __builtin_memcpy(huge, &r, sizeof r);
    CHECK(kernel::send(p.coroutines.id(), huge, sizeof huge, nullptr, 0));
    CHECK_EQ(p.coroutines.send(open, 1, 0_ms), status::full);
  });
  p.run();
}
