// SPDX-License-Identifier: MIT
#include "websocket_support.hpp"

using namespace network_test;

namespace {

struct rooms {
  rooms(required<http_server> s, context here)
      : room(s->websocket(here, "/rooms/{name}", [this](websocket& c) { return chat(c); })),
        page(s->route(here, "GET", "/rooms/list", [](const http_request&) { return list(); })),
        plain(s->websocket(here, "/rooms/list", [this](websocket& c) { return chat(c); })) {}

  static async::task<http_response> list() { co_return http_response(200, "the rooms"); }
  async::task<> chat(websocket& c) {
    const std::string* const name = c.request().parameter("name");
    const std::string own = name ? *name : "list";
    ++inside;
    websocket_message m = co_await c.receive();
    while (m) {
      const std::string answer = own + ": " + m.data;
      static_cast<void>(co_await c.send_text(answer));
      m = co_await c.receive();
    }
    last = c.end().code;
    --inside;
  }
  int inside = 0;
  uint16_t last = 0;
  websocket_route room;
  http_route page;
  websocket_route plain;
};

const std::string extension = "Sec-WebSocket-Extensions: permessage-deflate";

using script = std::function<async::task<>(rooms&, http_server&, websocket_client&, tcp_client&)>;

http_counters run_with(script play, const http_limits& l = {}, const websocket_limits& of_client = {}) {
  program app;
  http_counters n;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  add_websocket_clients(app, of_client);
  app.add<rooms>();
  using one = driver<rooms, http_server, websocket_client, tcp_client>;
  app.add<one>(typename one::script([&](rooms& r, http_server& s, websocket_client& w, tcp_client& c) -> async::task<> {
    co_await play(r, s, w, c);
    for (int i = 0; i != 5000 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

}  // namespace

TEST_CASE("a route becomes a WebSocket, beside the pages of its server") {
  const http_counters n = run_with([](rooms& r, http_server& s, websocket_client& w, tcp_client& c) -> async::task<> {
    websocket_opened one = co_await w.connect(tcp_place(s.port()), "/rooms/blue?a=b");
    REQUIRE(one);
    CHECK_EQ(co_await one.connection->send_text("hello"), status::ok);
    websocket_message m = co_await one.connection->receive();
    CHECK_EQ(m.data, "blue: hello");
    CHECK_EQ(r.inside, 1);
    CHECK_EQ(co_await one.connection->close(), status::ok);
    websocket_opened list = co_await w.connect(tcp_place(s.port()), "/rooms/list");
    REQUIRE(list);
    static_cast<void>(co_await list.connection->close());
    const std::string page =
        co_await exchange(c, s.port(), "GET /rooms/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK(page.ends_with("the rooms"));
    const std::string none =
        co_await exchange(c, s.port(), "GET /rooms/red HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK_EQ(answers_in(none), "426 Upgrade Required");
    CHECK(none.find("Upgrade: websocket\r\n") != std::string::npos);
    const std::string plain = co_await exchange(c, s.port(), opening("/rooms/red", extension + "\r\n"), true);
    CHECK_EQ(plain.find(extension), std::string::npos);
  });
  CHECK_EQ(n.upgraded, 3u);
  CHECK_EQ(n.not_allowed, 1u);
}

TEST_CASE("an upgrade that is none is refused") {
  const std::vector<std::pair<std::string, std::string>> all = {
      {opening("/rooms/blue", "Origin: http://evil.test\r\n"), "403 Forbidden"},
      {opening("/unknown", "Connection: close\r\n"), "404 Not Found"},
      {opening("/rooms/blue", "") + "early", "400 Bad Request"},
      {"GET /rooms/blue HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
       "400 Bad Request"},
  };
  const http_counters n = run_with([&](rooms&, http_server& s, websocket_client&, tcp_client& c) -> async::task<> {
    for (const auto& one_of : all) {
      const auto& [request, answer] = one_of;
      CAPTURE(one_of.first);
      const std::string got = co_await exchange(c, s.port(), request);
      CHECK_EQ(answers_in(got), answer);
    }
  });
  CHECK_EQ(n.forbidden, 1u);
}

TEST_CASE("a drain closes the WebSockets of a server with 1001") {
  run_with([](rooms& r, http_server& s, websocket_client& w, tcp_client&) -> async::task<> {
    websocket_opened one = co_await w.connect(tcp_place(s.port()), "/rooms/blue");
    REQUIRE(one);
    for (int i = 0; i != 5000 && r.inside == 0; ++i) co_await async::sleep_for(milliseconds(1));
    const status drained = co_await s.drain(seconds(20));
    CHECK_EQ(drained, status::ok);
    const websocket_message m = co_await one.connection->receive();
    CHECK_EQ(m.ended, status::closed);
    CHECK_EQ(one.connection->end().code, 1001);
  });
}

TEST_CASE("messages are compressed if both sides agree, and a message is bounded as it is when inflated") {
  http_limits l;
  l.websocket.compresses = true;
  l.websocket.message_bytes = 200000;
  websocket_limits of_client;
  of_client.compresses = true;
  const http_counters n = run_with(
      [](rooms&, http_server& s, websocket_client& w, tcp_client& c) -> async::task<> {
        websocket_opened one = co_await w.connect(tcp_place(s.port()), "/rooms/blue");
        REQUIRE(one);
        const std::string text(200000, 'x');
        CHECK_EQ(co_await one.connection->send_text(text), status::ok);
        websocket_message m = co_await one.connection->receive();
        CHECK_EQ(m.data.size(), text.size() + 6);
        // 8 MB of one letter are 8 KB on the line.
        const std::string bomb(8u << 20, 'x');
        static_cast<void>(co_await one.connection->send_text(bomb));
        m = co_await one.connection->receive();
        CHECK_EQ(m.ended, status::closed);
        CHECK_EQ(one.connection->end().code, 1009);

        const std::string agreement = co_await exchange(c, s.port(), opening("/rooms/red", extension + "\r\n"), true);
        CHECK(agreement.find(extension) != std::string::npos);

        raw_client raw;
        const std::string agreed = co_await raw.open(c, s.port(), "/rooms/blue", "");
        CHECK_EQ(agreed, "101");
        co_await raw.write(masked_frame(0xc1, "abc"));  // compressed, and nobody agreed to that
        const std::string rest = co_await raw.rest();
        CHECK_EQ(rest, plain_frame(0x88, "\x03\xea"));

        raw_client other;
        const std::string compressed = co_await other.open(c, s.port(), "/rooms/blue", extension + "\r\n");
        CHECK_EQ(compressed, "101");
        co_await other.write(masked_frame(0xc1, "\x07\xff"));  // a block of a kind that there is not
        const std::string refusal = co_await other.rest();
        CHECK_EQ(refusal, plain_frame(0x88, "\x03\xef"));
      },
      l, of_client);
  CHECK_EQ(n.body_too_large, 1u);
  CHECK_EQ(n.malformed, 2u);
}
