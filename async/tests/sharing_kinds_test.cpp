// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_endpoint.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <string>

/// Stackless coroutines that wait for cross-loop objects, besides their other operations.
using namespace baton;

namespace {

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

struct fixture {
  async::cross_loop_channel<int, 2> stock;
  baton::signal bell;
  std::string order;
  async::loop l;

  /// Runs everything that is ready; messages to the loop do not arrive.
  void step() { scheduler::run_until_idle(); }
  void turn() {
    l.mailbox().deliver();
    step();
  }
};

}  // namespace

TEST_CASE(
    "a stackless client and a stackless server of a shared endpoint; a client that gives up is told to the server") {
  using service = async::cross_loop_endpoint<int, int>;
  struct server : coroutine<server, async::cross_loop_base<serving<int, int>>> {
    server(fixture& f, service& s) : on(f), e(s) {}
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(e.receive(request));
        if (result() != status::ok) break;
        BATON_WAIT(on.bell.wait());
        on.order += e.reply(request, request.request() * 2) == status::ok ? '+' : '-';
      }
      BATON_END();
    }
    fixture& on;
    service& e;
    service::served_type request;
  };
  struct client : coroutine<client, async::cross_loop_base<deadline>> {
    client(fixture& f, service& s) : on(f), e(s) {}
    point step(point at) {
      BATON_BEGIN();
      x.request = 21;
      BATON_WAIT_FOR(milliseconds(5), e.call(x));
      on.order += letter(result()) + std::to_string(x.reply);
      BATON_WAIT(e.call(x));
      on.order += letter(result());
      BATON_END();
    }
    fixture& on;
    service& e;
    service::exchange_type x;
  };
  fixture f;
  service e;
  server s(f, e);
  client c(f, e);
  c.start();
  s.start();
  f.turn();
  f.bell.set();
  f.turn();
  f.turn();
  CHECK_EQ(f.order, "+k42");
  f.turn();
  CHECK(c.cancel());
  f.bell.set();
  f.turn();
  CHECK_EQ(f.order, "+k42c-");
  e.close();
  f.turn();
  CHECK(s.is_done());
}

TEST_CASE("beside a select, a period and a list, on the same base") {
  struct many : coroutine<many, listed<selecting<2, async::cross_loop_base<deadline>>>> {
    explicit many(fixture& f) : on(f) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(on.stock.receive(value));
      on.order += std::to_string(value);
      BATON_SELECT_FOR(milliseconds(1), on.bell.wait(), numbers.receive(value));
      on.order += letter(result());
      BATON_DELAY_MS(1);
      BATON_WAIT(on.stock.receive(value));
      on.order += letter(result());
      BATON_END();
    }
    fixture& on;
    channel<int> numbers;
    int value = 0;
  };
  fixture f;
  many m(f);
  m.start();
  f.turn();
  CHECK(m.state() == job_state::waiting);
  CHECK_EQ(f.stock.try_send(8), status::ok);
  f.turn();
  CHECK_EQ(f.order, "8");
  sim::advance(milliseconds(2));
  f.turn();
  CHECK_EQ(f.order, "8t");
  CHECK(m.state() == job_state::delaying);
  sim::advance(milliseconds(2));
  f.turn();
  CHECK(m.state() == job_state::waiting);
  CHECK(m.cancel());
  f.turn();
  CHECK_EQ(f.order, "8tc");
  CHECK(m.is_done());
}

TEST_CASE("the room that it takes is as said") {
  CHECK_EQ(sizeof(async::cross_loop_base<deadline>) - sizeof(deadline), 104u);
}
