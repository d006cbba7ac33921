// SPDX-License-Identifier: MIT
#include "coroutine_program.hpp"

using namespace baton;
using test::ms;
using test::text;

namespace {

struct question {
  int a;
  int b;
};
using desk = kernel::reachable<endpoint<question, long>>;

/// A coroutine that calls, once or again and again.
struct client : coroutine<client, deadline> {
  client(desk& d, int times, duration patience = {}) : desk_(d), times_(times), patience_(patience) {}
  point step(point at) {
    BATON_BEGIN();
    for (; times_; --times_) {
      x_.request = question{times_, 10};
      if (patience_ != duration()) {
        BATON_WAIT_FOR(patience_, desk_.call(x_));
      } else {
        BATON_WAIT(desk_.call(x_));
      }
      got += result() == status::ok ? std::to_string(x_.reply) + " " : std::string(text(result())) + " ";
    }
    BATON_END();
  }
  desk& desk_;
  exchange<question, long> x_;
  int times_;
  duration patience_;
  std::string got;
};

/// A coroutine that serves, and takes time for it.
struct server : coroutine<server, deadline> {
  server(desk& d, int times, uint32_t work_ms = 0) : desk_(d), times_(times), work_ms_(work_ms) {}
  point step(point at) {
    BATON_BEGIN();
    for (; times_; --times_) {
      BATON_WAIT(desk_.receive(s_));
      if (result() != status::ok) break;
      if (work_ms_) BATON_DELAY_MS(work_ms_);
      last = desk_.reply(s_, static_cast<long>(s_.request().a) * s_.request().b);
    }
    BATON_WAIT(desk_.receive(s_));  // it never replies to this request
    BATON_SUSPEND();
    BATON_END();
  }
  desk& desk_;
  served<question, long> s_;
  int times_;
  uint32_t work_ms_;
  status last = status::empty;
};

}  // namespace

TEST_CASE("a coroutine calls a server that is a task") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  client c(d, 3);
  c.start();
  p.task("server", 2, [&] {
    for (;;) {
      question q = {0, 0};
      kernel::reply_right right;
      const status s = p.coroutines.receive(d, q, right, ms(5));
      if (s != status::ok) {
        CHECK_EQ(s, status::timed_out);
        break;
      }
      CHECK_EQ(p.coroutines.reply(d, right, q.a + q.b), status::ok);
      CHECK_EQ(p.coroutines.reply(d, right, 1), status::no_right);  // once
    }
  });
  p.run();
  CHECK_EQ(c.got, "13 12 11 ");
  CHECK_EQ(port::now(), ms(5));
}

TEST_CASE("a task calls a server that is a coroutine") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  server s(d, 2, 3);
  s.start();
  p.task("client", 2, [&] {
    long product = 0;
    CHECK_EQ(p.coroutines.call(d, {6, 7}, product), status::ok);
    CHECK_EQ(product, 42);
    CHECK_EQ(port::now(), ms(3));
    CHECK_EQ(p.coroutines.call(d, {5, 5}, product, ms(10)), status::ok);
    CHECK_EQ(product, 25);
    CHECK_EQ(port::now(), ms(6));
    CHECK_EQ(p.coroutines.call(d, {1, 1}, product, ms(10)),
             status::timed_out);  // the request was received, and got no reply
    CHECK_EQ(product, 25);
    CHECK_EQ(port::now(), ms(16));
    CHECK_EQ(p.coroutines.call(d, {1, 1}, product, 0_ms), status::timed_out);  // a call is never done at once
  });
  p.run();
}

TEST_CASE("a task calls a task over an endpoint, and requests may be replied to in any order") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  for (int i = 1; i <= 2; ++i) {
    p.task(i == 1 ? "a" : "b", 2, [&, i] {
      long sum = 0;
      CHECK_EQ(p.coroutines.call(d, {i, 100}, sum), status::ok);
      CHECK_EQ(sum, 100 + i);
      p.mark("got its reply");
    });
  }
  p.task("server", 1, [&] {
    question q[2];
    kernel::reply_right right[2];
    for (int i = 0; i < 2; ++i) CHECK_EQ(p.coroutines.receive(d, q[i], right[i]), status::ok);
    CHECK_EQ(q[0].a, 1);
    CHECK_EQ(q[1].a, 2);
    CHECK_EQ(p.coroutines.receive(d, q[0], right[0], 0_ms), status::full);  // two calls wait, and two requests are held
    for (int i = 1; i >= 0; --i) CHECK_EQ(p.coroutines.reply(d, right[i], q[i].a + q[i].b), status::ok);
    CHECK_EQ(p.coroutines.receive(d, q[0], right[0], 0_ms), status::empty);
  });
  p.run();
  CHECK_LOG(p, "b got its reply", "b ends", "a got its reply", "a ends", "server ends");
}

TEST_CASE("a call that times out in the queue has not happened, one that is being served is let go") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  p.task("client", 2, [&] {
    long sum = 0;
    CHECK_EQ(p.coroutines.call(d, {1, 1}, sum, ms(2)), status::timed_out);  // no server receives
    CHECK_EQ(p.coroutines.call(d, {2, 2}, sum, ms(8)), status::timed_out);
    CHECK_EQ(port::now(), ms(10));
  });
  p.task("server", 1, [&] {
    kernel::sleep(ms(5));
    question q;
    kernel::reply_right right;
    CHECK_EQ(p.coroutines.receive(d, q, right), status::ok);
    CHECK_EQ(q.a, 2);  // the first call was never seen
    kernel::sleep(ms(10));
    CHECK_EQ(p.coroutines.reply(d, right, 4), status::peer_gone);
    CHECK_EQ(p.coroutines.receive(d, q, right, ms(1)), status::timed_out);
  });
  client impatient(d, 1, ms(3));
  p.run();
}

TEST_CASE("a coroutine's call to a task that is too slow times out, and the reply comes too late") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  client c(d, 1, ms(3));
  c.start();
  p.task("server", 1, [&] {
    question q;
    kernel::reply_right right;
    CHECK_EQ(p.coroutines.receive(d, q, right), status::ok);
    kernel::sleep(ms(10));
    CHECK_EQ(p.coroutines.reply(d, right, 4), status::peer_gone);
  });
  p.run();
  CHECK_EQ(c.got, "timed_out ");
}

TEST_CASE("a server task that ends while it serves ends its clients' calls with peer_gone") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  client c(d, 1);
  c.start();
  p.task("client", 2, [&] {
    long sum;
    CHECK_EQ(p.coroutines.call(d, {1, 1}, sum), status::peer_gone);
    p.mark("client gone");
  });
  p.task("server", 1, [&] {
    question q;
    kernel::reply_right right;
    CHECK_EQ(p.coroutines.receive(d, q, right), status::ok);
    CHECK_EQ(p.coroutines.receive(d, q, right), status::ok);
    kernel::sleep(ms(1));
  });
  p.run();
  CHECK_EQ(c.got, "peer_gone ");
  CHECK_LOG(p, "at 1 ms", "server ends", "client client gone", "client ends");
}

TEST_CASE("a server task that is killed while it waits, or just after it was given a request, holds nothing") {
  test::coroutine_program<> p(1);  // less urgent than the killers
  desk d;
  p.coroutines.open(d);
  client c(d, 1);
  kernel::reply_right right;
  question q;
  const kernel::tid first = p.task("first", 0, [&] { p.coroutines.receive(d, q, right); });
  struct starter : coroutine<starter, deadline> {
    explicit starter(client& other) : c(other) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_DELAY_MS(1);
      c.start();
      BATON_YIELD();  // the server's job runs next, and holds the request
      kernel::notify(killer, 1);
      BATON_END();
    }
    client& c;
    kernel::tid killer = kernel::no_task;
  };
  starter s(c);
  s.killer = p.task("killer", 3, [&] {
    CHECK(kernel::wait_notification(1));
    CHECK(kernel::kill(first));
  });
  s.start();
  p.run();
  CHECK_EQ(c.got, "peer_gone ");
}

TEST_CASE("a client task that is killed while it is served leaves the server's reply without a taker") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  server s(d, 1, 5);
  s.start();
  long product = 0;
  const kernel::tid victim = p.task("victim", 2, [&] { p.coroutines.call(d, {6, 7}, product); });
  p.task("killer", 1, [&] {
    kernel::sleep(ms(2));
    CHECK(kernel::kill(victim));
    kernel::sleep(ms(5));
    CHECK_EQ(s.last, status::peer_gone);
    CHECK_EQ(product, 0);
  });
  p.run();
  CHECK_EQ(s.times_, 0);
}

TEST_CASE("closing an endpoint ends the calls in its queue and the waits of its servers") {
  test::coroutine_program<> p;
  desk d, idle;
  p.coroutines.open(d);
  p.coroutines.open(idle);
  client c(d, 1);
  c.start();
  p.task("client", 3, [&] {
    long sum;
    CHECK_EQ(p.coroutines.call(d, {1, 1}, sum), status::closed);
    p.mark("closed");
  });
  p.task("server", 2, [&] {
    question q;
    kernel::reply_right right;
    CHECK_EQ(p.coroutines.receive(idle, q, right), status::closed);
    CHECK_EQ(p.coroutines.receive(idle, q, right, 0_ms), status::closed);
    p.mark("closed");
  });
  p.task("closer", 1, [&] {
    kernel::sleep(ms(1));
    CHECK_EQ(p.coroutines.close(d), status::ok);
    CHECK_EQ(p.coroutines.close(idle), status::ok);
  });
  p.run();
  CHECK_EQ(c.got, "closed ");
  CHECK_LOG(p, "at 1 ms", "client closed", "client ends", "server closed", "server ends", "closer ends");
}

TEST_CASE("a right that is not the task's own is none") {
  test::coroutine_program<> p;
  desk d;
  p.coroutines.open(d);
  client c(d, 1);
  c.start();
  kernel::reply_right right;
  p.task("server", 2, [&] {
    question q;
    CHECK_EQ(p.coroutines.receive(d, q, right), status::ok);
    kernel::sleep(ms(2));
    CHECK_EQ(p.coroutines.reply(d, right, 5), status::ok);
  });
  p.task("thief", 1, [&] {
    CHECK_EQ(p.coroutines.reply(d, right, 6), status::no_right);
    CHECK_EQ(p.coroutines.reply(d, kernel::reply_right{200, 1}, 6), status::no_right);
  });
  p.run();
  CHECK_EQ(c.got, "5 ");
}

TEST_CASE("a task that waits for the coroutine server lends it its priority") {
  test::coroutine_program<> p(1);
  desk d;
  p.coroutines.open(d);
  server s(d, 1, 2);
  s.start();
  p.task("urgent", 5, [&] {
    kernel::sleep(ms(1));
    long product;
    CHECK_EQ(p.coroutines.call(d, {1, 1}, product), status::ok);
    p.mark("got it");
  });
  p.task("middle", 3, [&] {
    kernel::sleep(ms(1));
    sim::advance(ms(1));
    kernel::yield();
    sim::advance(ms(10));
    kernel::yield();
    p.mark("has worked");
  });
  p.run();
  // The coroutine's reply is due at 3 ms, while the middle task works. The coroutine server is more
  // urgent than that task for as long as the urgent one waits.
  CHECK_LOG(p, "at 3 ms", "urgent got it", "urgent ends", "at 12 ms", "middle has worked", "middle ends");
}
