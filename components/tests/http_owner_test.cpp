// SPDX-License-Identifier: MIT
#include "network.hpp"

using namespace network_test;

namespace {

/// A service whose page waits until it is stopped.
struct sleeper {
  sleeper(required<http_server> s, context h, std::string& to)
      : here(h), page(s->route(h, "GET", "/", [&to](const http_request&) { return dream(to); })) {}
  static async::task<http_response> dream(std::string& to) {
    to += "asleep ";
    const status slept = co_await async::sleep_for(seconds(100));
    to += slept == status::cancelled ? "woken " : "dreamt ";
    co_return http_response(200, "a dream");
  }
  context here;
  http_route page;
};

async::task<http_response> http_task() {
  co_return http_response();
}

async::task<http_response> large_page() {
  http_response all;
  all.body.resize(50000000, 'x');
  co_return all;
}

const std::string question = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

}  // namespace

TEST_CASE("a route's service is stopped while it answers, and its route goes with it") {
  program app;
  app.serve_http();
  app.add_clients({}, {seconds(5), seconds(5)});
  std::string log;
  std::string first;
  const service_id id = app.add<sleeper>(std::ref(log)).id();
  using one = driver<http_server, tcp_client>;
  app.add<one>(one::script([&](http_server& s, tcp_client& c) -> async::task<> {
    async::scope asking;
    asking.spawn([](tcp_client& by, uint16_t port, std::string& to) -> async::task<> {
      to = co_await exchange(by, port, question);
    }(c, s.port(), first));
    for (int i = 0; i != 5000 && log.empty(); ++i) co_await async::sleep_for(milliseconds(1));
    app.main().stop(id);
    co_await asking.join();
    const std::string second = co_await exchange(c, s.port(), question);
    CHECK_EQ(answers_in(second), "404 Not Found");
    app.main().start(id);
    const status started = co_await app.main().started(id);
    CHECK_EQ(started, status::ok);
    CHECK_THROWS_AS(static_cast<void>(s.route(app.main(), "GET", "/", [](const http_request&) { return http_task(); })),
                    std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(s.route(app.main(), "GET", "x", [](const http_request&) { return http_task(); })),
                    std::invalid_argument);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(log, "asleep woken ");
  CHECK_EQ(answers_in(first), "200 OK");
}

TEST_CASE("the server's stop ends its connections in order, and then the place is free") {
  uint16_t port = 0;
  for (int round = 0; round != 2; ++round) {
    program app;
    app.serve_http({}, tcp_place(port));
    app.add_clients({}, {seconds(5), seconds(5)});
    std::string log;
    std::vector<tcp_opened> open;
    app.add<sleeper>(std::ref(log));
    using one = driver<http_server, tcp_client>;
    app.add<one>(one::script([&](http_server& s, tcp_client& c) -> async::task<> {
      port = s.port();
      for (int i = 0; i != 3; ++i) {
        open.push_back(co_await c.connect(tcp_place(port)));
        CHECK(open.back());
      }
      static_cast<void>(co_await open[0].connection->write(question));
      static_cast<void>(co_await open[1].connection->write("GET / HT"));
      for (int i = 0; i != 5000 && (log.empty() || s.counters().open != 3); ++i)
        co_await async::sleep_for(milliseconds(1));
      CHECK_EQ(s.counters().open, 3u);
    }));
    CHECK_EQ(app.run(), 0);
    CHECK_EQ(log, "asleep woken ");
  }
}

TEST_CASE("a client that does not take its answer is left") {
  program app;
  http_limits l;
  l.writing_time = milliseconds(200);
  app.serve_http(l);
  app.add_clients();
  http_counters n;
  using one = driver<http_server, tcp_client>;
  app.add<one>(one::script([&](http_server& s, tcp_client& c) -> async::task<> {
    const http_route large = s.route(app.main(), "GET", "/", [](const http_request&) { return large_page(); });
    tcp_opened to = co_await c.connect(tcp_place(s.port()));
    static_cast<void>(co_await to.connection->write(question));
    for (int i = 0; i != 5000 && s.counters().left == 0; ++i) co_await async::sleep_for(milliseconds(1));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  check_sums(n);
  CHECK_EQ(n.answered, 1u);
  CHECK_EQ(n.left, 1u);
}

TEST_CASE("a place that cannot be had is told") {
  program app;
  app.serve_http({}, tcp_place(0, "nowhere"));
  CHECK_NE(app.run(), 0);
  CHECK(app.told.find("Invalid argument") != std::string::npos);
}
