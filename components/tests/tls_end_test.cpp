// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "tls_support.hpp"

using namespace network_test;

namespace {

struct pages {
  pages(required<http_server> s, context here)
      : quick(s->route(here, "GET", "/quick", [](const http_request&) { return answer("quick"); })),
        slow(s->route(here, "GET", "/slow", [](const http_request&) { return answer_late(); })) {}
  static async::task<http_response> answer(std::string text) { co_return http_response(200, std::move(text)); }
  static async::task<http_response> answer_late() {
    co_await async::sleep_for(milliseconds(200));
    co_return http_response(200, "slow");
  }
  http_route quick, slow;
};

using web = driver<pages, http_server, http_client, tcp_client>;

void run_web(const tcp_place& at, const http_limits& l, const web::script& s) {
  program app;
  app.serve_http(l, at);
  app.add_clients();
  app.add<pages>();
  app.add<web>(s);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

async::task<> wait_until_ended(http_server& s, uint64_t n) {
  for (int i = 0; i != 5000 && s.counters().ends() != n; ++i) co_await async::sleep_for(milliseconds(1));
  CHECK_EQ(s.counters().ends(), n);
}

/// The client's end of a request to a server that sends this text and ends, in order or not.
http_reply reply_to(const secured& by, const std::string& text, bool ends_in_order) {
  program app;
  app.serve_tcp(
      [=](tcp_connection& c) -> async::task<> {
        char some[1000];
        static_cast<void>(co_await c.read_some(some));
        static_cast<void>(co_await c.write(text));
        if (!ends_in_order) throw std::runtime_error("cut");
      },
      {}, by.place());
  app.add_clients();
  http_reply got(status::full);
  using one = driver<tcp_server, http_client>;
  app.add<one>(one::script(
      [&](tcp_server& s, http_client& c) -> async::task<> { got = co_await c.get(by.place(s.port()), "/"); }));
  CHECK_EQ(app.run(), 0);
  return got;
}

}  // namespace

TEST_CASE("a client that does not finish its handshake is left") {
  const authority root("root");
  const secured s(root, root.issue());
  http_limits l;
  l.reading_time = milliseconds(100);
  run_web(s.place(), l, [](pages&, http_server& to, http_client&, tcp_client& c) -> async::task<> {
    const std::string none = co_await exchange(c, to.port(), "");
    CHECK_EQ(none, "");
    const std::string begun = co_await exchange(c, to.port(), std::string("\x16\x03\x01\x02\x00\x01", 6));
    CHECK_EQ(begun, "");
    co_await wait_until_ended(to, 2);
    CHECK_EQ(to.counters().handshake_failed, 2u);
    check_sums(to.counters());
  });
}

TEST_CASE("a client that does not finish its handshake gives its place up") {
  const authority root("root");
  const secured s(root, root.issue());
  http_limits l;
  l.connections = 1;
  run_web(s.place(), l, [&](pages&, http_server& to, http_client& web_client, tcp_client& c) -> async::task<> {
    const tcp_opened silent = co_await c.connect(tcp_place(to.port()));
    for (int i = 0; i != 5000 && to.counters().open != 1; ++i) co_await async::sleep_for(milliseconds(1));
    const http_reply r = co_await web_client.get(s.place(to.port()), "/quick");
    CHECK_EQ(r.response.body, "quick");
    co_await wait_until_ended(to, 2);
    CHECK_EQ(to.counters().released, 1u);
    check_sums(to.counters());
  });
}

TEST_CASE("neither side takes a plain text for TLS, or TLS for a plain text") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s.place(), {}, [](pages&, http_server& to, http_client&, tcp_client& c) -> async::task<> {
    const std::string got = co_await exchange(c, to.port(), "GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK_EQ(answers_in(got), "");
    co_await wait_until_ended(to, 1);
    CHECK_EQ(to.counters().handshake_failed, 1u);
  });
  run_web(tcp_place(), {}, [&](pages&, http_server& to, http_client& c, tcp_client&) -> async::task<> {
    const http_reply r = co_await c.get(s.place(to.port()), "/quick");
    CHECK_EQ(r.ended, status::closed);
    CHECK_EQ(r.why, "wrong version number");
    co_await wait_until_ended(to, 1);
    CHECK_EQ(to.counters().malformed, 1u);
  });
}

TEST_CASE("a body that runs to the end of the connection is whole only if the end was said") {
  const authority root("root");
  const secured s(root, root.issue());
  const std::string start = "HTTP/1.1 200 OK\r\n";
  http_reply r = reply_to(s, start + "\r\nall", true);
  CHECK_EQ(r.ended, status::ok);
  CHECK_EQ(r.response.body, "all");
  r = reply_to(s, start + "\r\nhalf", false);
  CHECK_EQ(r.ended, status::closed);
  CHECK_EQ(r.why, "stream truncated");
  r = reply_to(s, start + "Content-Length: 3\r\n\r\nall", false);
  CHECK_EQ(r.response.body, "all");
}

TEST_CASE("a drain lets the requests in flight be answered, and ends idle connections") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s.place(), {}, [&](pages&, http_server& to, http_client& c, tcp_client& t) -> async::task<> {
    tcp_opened idle = co_await t.connect(s.place(to.port()));
    REQUIRE(idle);
    http_reply r(status::full);
    async::scope asked;
    asked.spawn([](const secured& by, http_client& from, uint16_t port, http_reply& got) -> async::task<> {
      got = co_await from.get(by.place(port), "/slow");
    }(s, c, to.port(), r));
    for (int i = 0; i != 5000 && to.counters().requests != 1; ++i) co_await async::sleep_for(milliseconds(1));
    const status drained = co_await to.drain(seconds(10));
    CHECK_EQ(drained, status::ok);
    co_await asked.join();
    CHECK_EQ(r.response.body, "slow");
    CHECK_EQ(to.counters().released, 1u);
    check_sums(to.counters());
  });
}

TEST_CASE("an answer after which the server closes ends in order") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s.place(), {}, [&](pages&, http_server& to, http_client&, tcp_client& c) -> async::task<> {
    const tcp_opened one = co_await c.connect(s.place(to.port()));
    REQUIRE(one);
    static_cast<void>(co_await one.connection->write("GET /quick HTTP/1.0\r\n\r\n"));
    std::string all;
    char some[1000];
    tcp_result got;
    while ((got = co_await one.connection->read_some(some))) all.append(some, got.bytes);
    CHECK_EQ(got.ended, status::closed);
    CHECK_EQ(answers_in(all), "200 OK");
  });
}

/// ---- TCP ----

TEST_CASE("each side ends its stream alone, and an end that was not said is told from one that was") {
  const authority root("root");
  const secured s(root, root.issue());
  std::vector<status> ends;
  program app;
  tcp_limits l;
  l.handshake_time = milliseconds(100);
  app.serve_tcp(
      [&](tcp_connection& c) -> async::task<> {
        std::string all;
        char some[1000];
        tcp_result got;
        while ((got = co_await c.read_some(some))) all.append(some, got.bytes);
        ends.push_back(got.ended);
        static_cast<void>(co_await c.write("got " + all));
      },
      l, s.place());
  app.add_clients();
  using two = driver<tcp_server, tcp_client>;
  app.add<two>(two::script([&](tcp_server& to, tcp_client& c) -> async::task<> {
    tcp_opened one = co_await c.connect(s.place(to.port()));
    REQUIRE(one);
    const std::string text(200000, 'x');
    const tcp_result put = co_await one.connection->write(text);
    CHECK_EQ(put.bytes, text.size());
    one.connection->end_writing();
    std::string back(text.size() + 4, ' ');
    tcp_result got = co_await one.connection->read(back);
    CHECK(back == "got " + text);
    got = co_await one.connection->read_some({back.data(), 1});
    CHECK_EQ(got.ended, status::closed);

    one = co_await c.connect(s.place(to.port()));
    static_cast<void>(co_await one.connection->write("half"));
    one.connection.reset();
    const std::string none = co_await exchange(c, to.port(), "");
    CHECK_EQ(none, "");
    for (int i = 0; i != 5000 && to.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(to.counters().ended, 2u);
    CHECK_EQ(to.counters().handshake_failed, 1u);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(ends, std::vector<status>({status::closed, status::truncated}));
}
