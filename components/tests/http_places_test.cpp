// SPDX-License-Identifier: MIT
#include "network.hpp"

using namespace network_test;

namespace {

const std::string question = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string last_question = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const std::string long_question = "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n";

struct pages {
  explicit pages(required<http_server> s, context here)
      : page(s->route(here, "GET", "/", greet)),
        long_page(s->route(here, "GET", "/long", [this](const http_request&) { return sleep(); })),
        short_page(s->route(here, "GET", "/until", [this](const http_request&) { return wait(); })) {}

  static async::task<http_response> greet(http_request) { co_return http_response(200, "good day"); }
  async::task<http_response> sleep() {
    ++asleep;
    const status slept = co_await async::sleep_for(seconds(100));
    --asleep;
    if (slept != status::ok) throw std::runtime_error("woken");
    co_return http_response(200);
  }
  async::task<http_response> wait() {
    ++asleep;
    const status waited = co_await go_on.wait();
    --asleep;
    co_return http_response(waited == status::ok ? 200 : 500, "at last");
  }

  int asleep = 0;
  async::manual_event go_on;
  http_route page, long_page, short_page;
};

/// Waits until something holds; a test that waits in vain fails.
template <typename Condition>
async::task<> until(Condition holds) {
  for (int i = 0; i != 5000 && !holds(); ++i) co_await async::sleep_for(milliseconds(1));
  CHECK(holds());
}

using script = std::function<async::task<>(pages&, http_server&, tcp_client&)>;

http_counters run_with(const http_limits& l, script play) {
  program app;
  http_counters n;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<pages>();
  using one = driver<pages, http_server, tcp_client>;
  app.add<one>(typename one::script([&](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    co_await play(p, s, c);
    co_await until([&] { return s.counters().open == 0; });
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

/// Opens a connection and sends a text; waits until the server has accepted it.
async::task<tcp_opened> open(http_server& s, tcp_client& c, std::string text) {
  const uint64_t before = s.counters().connections;
  tcp_opened one = co_await c.connect(tcp_place(s.port()));
  static_cast<void>(co_await one.connection->write(text));
  co_await until([&] { return s.counters().connections != before; });
  co_return one;
}

}  // namespace

TEST_CASE("connections that wait give way to one that asks, the oldest first") {
  http_limits l;
  l.connections = 3;
  const http_counters n = run_with(l, [](pages&, http_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    all.push_back(co_await open(s, c, "GET / HT"));  // it reads, and goes last
    for (const char* text : {"", ""}) all.push_back(co_await open(s, c, text));
    co_await async::sleep_for(milliseconds(20));
    for (uint64_t released = 1; released != 4; ++released) {
      const std::string answer = co_await exchange(c, s.port(), last_question);
      CHECK_EQ(answers_in(answer), "200 OK");
      CHECK_EQ(s.counters().released, 1u);
    }
    // The oldest one that was idle has gone, and the others are still there.
    char c1 = 0;
    const tcp_result gone = co_await all[1].connection->read({&c1, 1});
    CHECK_EQ(gone.ended, status::closed);
    static_cast<void>(co_await all[0].connection->write("TP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    char text[12];
    const tcp_result got = co_await all[0].connection->read(text);
    CHECK_EQ(got.ended, status::ok);
    CHECK_EQ(std::string_view(text, 12), "HTTP/1.1 200");
  });
  CHECK_EQ(n.turned_away, 0u);
}

TEST_CASE("there are no more connections than the limit says") {
  http_limits l;
  l.connections = 3;
  const http_counters n = run_with(l, [](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 3; ++i) all.push_back(co_await open(s, c, long_question));
    co_await until([&] { return p.asleep == 3; });
    const std::string further = co_await exchange(c, s.port(), "");
    CHECK_EQ(answers_in(further), "503 Service Unavailable");
    all.pop_back();
    co_await until([&] { return s.counters().open == 2; });
    const std::string after = co_await exchange(c, s.port(), last_question);
    CHECK_EQ(answers_in(after), "200 OK");
  });
  CHECK_EQ(n.turned_away, 1u);
  CHECK_EQ(n.connections, 4u);
}

TEST_CASE("a peer has its share, and connections that are answered keep their places") {
  http_limits l;
  l.connections = 10;
  l.connections_per_peer = 2;
  const http_counters n = run_with(l, [](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 2; ++i) all.push_back(co_await open(s, c, long_question));
    co_await until([&] { return p.asleep == 2; });
    const std::string refused = co_await exchange(c, s.port(), "");
    CHECK_EQ(answers_in(refused), "503 Service Unavailable");
    CHECK_EQ(p.asleep, 2);
  });
  CHECK_EQ(n.turned_away, 1u);
  CHECK_EQ(n.connections, 2u);
  CHECK_EQ(n.abandoned, 2u);
}

TEST_CASE("a route is stopped when its client has gone, and what the client has sent ahead is kept") {
  const http_counters n = run_with({}, [](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    {
      const tcp_opened one = co_await open(s, c, long_question);
      co_await until([&] { return p.asleep == 1; });
    }
    co_await until([&] { return p.asleep == 0; });
    CHECK_EQ(s.counters().abandoned, 1u);

    async::scope asking;
    std::string all;
    asking.spawn([](tcp_client& by, uint16_t port, std::string& to) -> async::task<> {
      to = co_await exchange(by, port, "GET /until HTTP/1.1\r\nHost: localhost\r\n\r\n" + question + last_question);
    }(c, s.port(), all));
    co_await until([&] { return p.asleep == 1; });
    co_await async::sleep_for(milliseconds(120));
    p.go_on.set();
    co_await asking.join();
    CHECK_EQ(answers_in(all), "200 OK|200 OK|200 OK");
  });
  CHECK_EQ(n.failed, 0u);
  CHECK_EQ(n.answered, 3u);
}

TEST_CASE("a server drains: nobody comes, who waits goes, and a request in flight is answered") {
  const http_counters n = run_with({}, [](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    const tcp_opened idle = co_await open(s, c, "");
    async::scope asking;
    std::string answer;
    asking.spawn([](tcp_client& by, uint16_t port, std::string& to) -> async::task<> {
      to = co_await exchange(by, port, "GET /until HTTP/1.1\r\nHost: localhost\r\n\r\n" + question);
    }(c, s.port(), answer));
    co_await until([&] { return p.asleep == 1; });
    status drained = co_await s.drain(milliseconds(20));
    CHECK_EQ(drained, status::timed_out);
    char c1 = 0;
    const tcp_result gone = co_await idle.connection->read({&c1, 1});
    CHECK_EQ(gone.ended, status::closed);
    const tcp_opened further = co_await c.connect(tcp_place(s.port()));
    CHECK_FALSE(further);
    p.go_on.set();
    drained = co_await s.drain();
    CHECK_EQ(drained, status::ok);
    co_await asking.join();
    CHECK_EQ(answers_in(answer), "200 OK");
    CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  });
  CHECK_EQ(n.released, 1u);
  CHECK_EQ(n.answered, 1u);
}
