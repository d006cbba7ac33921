// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/beast_http_server.hpp>

#include "network.hpp"
#include "reserved_port.hpp"

using namespace network_test;

namespace {

constexpr int clients = 64;

/// The servers drain, and their routes answer.
struct end_in_order {};

/// The counts of both workers.
struct tally {
  std::atomic<int> ready{0};
  std::atomic<int> asked{0};
  std::atomic<int> served[2] = {0, 0};
  std::atomic<int> cut{0};
  std::atomic<int> drained{0};
};

/// Holds each request until the servers drain, or until it is stopped.
struct keeper {
  keeper(required<http_server> s, context h, size_t n, tally* t)
      : here(h),
        of(s),
        number(n),
        all(t),
        page(s->route(h, "GET", "/held", [this](const http_request&) { return hold(); })),
        heard(h.on<end_in_order>([this](const end_in_order&) { return drain(); })) {
    ++all->ready;
  }

  async::task<http_response> hold() {
    ++all->served[number];
    ++all->asked;
    const status waited = co_await go_on.wait();
    if (waited != status::ok) ++all->cut;
    co_return http_response(200, std::to_string(number));
  }
  async::task<> drain() {
    here.spawn([](keeper* k) -> async::task<> {
      const status slept = co_await async::sleep_for(milliseconds(20));  // the drain has begun
      if (slept == status::ok) k->go_on.set();
    }(this));
    const status left = co_await of->drain(seconds(10));
    const http_counters n = of->counters();
    if (left == status::ok && n.answered == n.requests && n.closed == n.connections) ++all->drained;
  }

  context here;
  required<http_server> of;
  size_t number;
  tally* all;
  async::manual_event go_on;
  http_route page;
  registration heard;
};

/// Two workers that serve one port, and clients in the main worker.
struct shared_program : program {
  shared_program() {
    for (size_t i = 0; i != 2; ++i) {
      const context w = add_worker(i == 0 ? "one" : "two", network_over<baton::asio::poller>);
      w.add<beast_http_server, http_server>(tcp_place(reserved.port()).shared(), patient());
      w.add<keeper>(i, &all);
    }
    add<asio_tcp_client, tcp_client>(tcp_times{seconds(100), seconds(100)}, seconds(100));
  }

  /// The machine may be busy with other tests.
  static http_limits patient() {
    http_limits l;
    l.reading_time = l.answering_time = seconds(100);
    return l;
  }

  reserved_port reserved;
  tally all;
};

async::task<> ask(tcp_client& by, uint16_t port, std::string& answer) {
  answer = co_await exchange(by, port, "GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

/// Asks from many connections, and goes on when all requests are in flight.
async::task<> ask_from_all(tcp_client& by, shared_program& app, async::scope& asking,
                           std::vector<std::string>& answers) {
  for (int i = 0; i != 50000 && app.all.ready != 2; ++i) co_await async::sleep_for(milliseconds(1));
  answers.resize(clients);
  for (std::string& answer : answers) asking.spawn(ask(by, app.reserved.port(), answer));
  for (int i = 0; i != 50000 && app.all.asked != clients; ++i) co_await async::sleep_for(milliseconds(1));
  CHECK_EQ(app.all.asked.load(), clients);
}

using one = driver<tcp_client>;

}  // namespace

TEST_CASE("two workers serve one port, and drain with requests in flight on both") {
  shared_program app;
  std::vector<std::string> answers;
  app.add<one>(one::script([&](tcp_client& c) -> async::task<> {
    async::scope asking;
    co_await ask_from_all(c, app, asking, answers);
    CHECK_EQ(app.broadcast(end_in_order()), 3u);
    co_await asking.join();
    for (int i = 0; i != 5000 && app.all.drained != 2; ++i) co_await async::sleep_for(milliseconds(1));
    const tcp_opened late = co_await c.connect(tcp_place(app.reserved.port()));
    CHECK_FALSE(late);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_GT(app.all.served[0], 0);
  CHECK_GT(app.all.served[1], 0);
  CHECK_EQ(app.all.served[0] + app.all.served[1], clients);
  CHECK_EQ(app.all.cut, 0);
  CHECK_EQ(app.all.drained, 2);
  int from[2] = {0, 0};
  for (const std::string& a : answers) {
    CHECK_EQ(answers_in(a), "200 OK");
    CHECK_NE(a.find("Connection: close\r\n"), std::string::npos);
    ++from[a.back() == '1' ? 1 : 0];
  }
  CHECK_EQ(from[0], app.all.served[0]);
  CHECK_EQ(from[1], app.all.served[1]);
}

TEST_CASE("the requests in flight of each worker are stopped with the program") {
  shared_program app;
  std::vector<std::string> answers;
  app.add<one>(one::script([&](tcp_client& c) -> async::task<> {
    async::scope asking;
    co_await ask_from_all(c, app, asking, answers);
    app.quit();
    co_await asking.join();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_GT(app.all.served[0], 0);
  CHECK_GT(app.all.served[1], 0);
  CHECK_EQ(app.all.cut.load(), clients);
}

TEST_CASE("a port is shared only by those who ask for it") {
  program app;
  app.serve_http({}, tcp_place(0).shared());
  using two = driver<http_server>;
  app.add<two>(two::script([&](http_server& s) -> async::task<> {
    const context here = app.main();
    const service_id alone = here.add<beast_http_server>(tcp_place(s.port())).may_fail();
    status started = co_await here.started(alone);
    CHECK_EQ(started, status::closed);
    CHECK_NE(here.failure_of(alone).find("Address already in use"), std::string::npos);
    const service_id beside = here.add<beast_http_server>(tcp_place(s.port()).shared());
    started = co_await here.started(beside);
    CHECK_EQ(started, status::ok);
  }));
  CHECK_EQ(app.run(), 0);
}
