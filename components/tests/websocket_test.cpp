// SPDX-License-Identifier: MIT
#include "websocket_support.hpp"

using namespace network_test;

namespace {

/// Sends back each message, and keeps the end of the connection.
async::task<> repeat(websocket& to, std::vector<websocket_end>& ends) {
  while (const websocket_message m = co_await to.receive()) {
    if (m.data == "fail") throw std::runtime_error("told to");
    if (m.data == "close") static_cast<void>(co_await to.close(4001, "as you wish"));
    if (m.is_text) {
      static_cast<void>(co_await to.send_text(m.data));
    } else {
      static_cast<void>(co_await to.send_binary(m.data));
    }
  }
  ends.push_back(to.end());
}

struct parrot {
  parrot(required<websocket_server> s, context here, std::vector<websocket_end>& to)
      : echo(s->route(here, "/echo", [&to](websocket& w) { return repeat(w, to); })),
        who(s->route(here, "/who", &answer)) {}
  static async::task<> answer(websocket& w) {
    const std::string* const colour = w.request().header("x-colour");
    const std::string text = w.request().target + " " + (colour ? *colour : "none");
    static_cast<void>(co_await w.send_text(text));
  }
  websocket_route echo, who;
};

using script = std::function<async::task<>(websocket_server&, websocket_client&, tcp_client&)>;

/// Runs a script with a server. Returns the server's counters at the end.
websocket_counters run_with(const websocket_server_limits& limits, std::vector<websocket_end>& ends, script s) {
  program app;
  websocket_counters n;
  serve_websockets(app, limits);
  add_websocket_clients(app);
  app.add_clients({}, {seconds(5), seconds(5)});
  app.add<parrot>(std::ref(ends));
  using one = driver<parrot, websocket_server, websocket_client, tcp_client>;
  app.add<one>(one::script([&](parrot&, websocket_server& by, websocket_client& c, tcp_client& raw) -> async::task<> {
    co_await s(by, c, raw);
    co_await wait_until_open(by, 0);
    n = by.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

std::string code_of(unsigned code) {
  return {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
}

/// Frames that are refused, with the code of the refusal, at a limit of a thousand bytes per
/// message.
std::vector<std::pair<std::string, unsigned>> refused_frames() {
  const std::string full(1000, 'f');
  return {
      {masked_frame(0x81, full + "f"), 1009},
      {masked_frame(0x81, std::string(100000, 'f')), 1009},
      {masked_frame(0x01, full) + masked_frame(0x80, "f"), 1009},
      {masked_frame(0x82, "").substr(0, 1) + "\xff\x7f\xff\xff\xff\xff\xff\xff\xff" + "keys", 1009},
      {plain_frame(0x81, "no mask"), 1002},
      {masked_frame(0xc1, "a reserved bit"), 1002},
      {masked_frame(0x83, "an unknown kind"), 1002},
      {masked_frame(0x80, "nothing goes on"), 1002},
      {masked_frame(0x09, "a ping in pieces"), 1002},
      {masked_frame(0x88, code_of(1005)), 1002},
      {masked_frame(0x81, "no UTF-8: \xff"), 1007},
      {masked_frame(0x01, "a cut: \xe2\x82") + masked_frame(0x80, ""), 1007},
      {masked_frame(0x01, "\xf0") + masked_frame(0x00, "\x9f\x98") + masked_frame(0x80, ""), 1007},
  };
}
/// Requests that open no WebSocket, with their answers, at a limit of 500 bytes per header.
std::vector<std::pair<std::string, std::string>> refused_openings() {
  return {
      {"rubbish\r\n\r\n", "400 Bad Request"},
      {"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", "426 Upgrade Required"},
      {"POST " + opening("/echo").substr(4), "426 Upgrade Required"},
      {"GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n", "400 Bad Request"},
      {opening("/echo", "Content-Length: 2\r\n") + "hi", "400 Bad Request"},
      {opening("/echo") + masked_frame(0x81, "early"), "400 Bad Request"},
      {"GET /echo HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
       "13\r\n\r\n",
       "400 Bad Request"},
      {"GET /echo HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
       "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n\r\n",
       "426 Upgrade Required"},
      {opening("/echo", "X-Long: " + std::string(500, 'l') + "\r\n"), "431 Request Header Fields Too Large"},
      {opening("/nowhere"), "404 Not Found"},
      {opening("/echo", "Origin: http://example.org\r\n"), "403 Forbidden"},
      {opening("/echo", "Origin: http://127.0.0.1.example.org\r\n"), "403 Forbidden"},
      {opening("/echo", "Origin: null\r\n"), "403 Forbidden"},
  };
}

std::vector<http_header> coloured() {
  return {{"X-Colour", "red"}};
}

}  // namespace

TEST_CASE("texts and binaries of any length come back as they were, and both sides know how it ended") {
  std::vector<websocket_end> ends;
  const websocket_counters n =
      run_with({}, ends, [](websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        websocket_opened to = co_await c.connect(tcp_place(s.port()), "/echo?room=1");
        REQUIRE(to);
        CHECK_EQ(to.connection->peer(), "127.0.0.1:" + std::to_string(s.port()));
        for (const size_t bytes : {0u, 1u, 125u, 126u, 65535u, 65536u, 1000000u}) {
          const std::string text(bytes, 'x');
          const std::string binary(bytes, '\xff');
          status sent = co_await to.connection->send_text(text);
          CHECK_EQ(sent, status::ok);
          sent = co_await to.connection->send_binary(binary);
          CHECK_EQ(sent, status::ok);
          const websocket_message first = co_await to.connection->receive();
          CHECK((first && first.is_text && first.data == text));
          const websocket_message second = co_await to.connection->receive();
          CHECK((second && !second.is_text && second.data == binary));
        }
        CHECK_EQ(to.connection->end().ended, status::ok);
        CHECK_THROWS_AS(static_cast<void>(to.connection->close(1005)), std::invalid_argument);
        CHECK_THROWS_AS(static_cast<void>(to.connection->close(1000, std::string(124, 'r'))), std::invalid_argument);
        const status closed = co_await to.connection->close(4000, "enough");
        CHECK_EQ(closed, status::ok);
        const websocket_message none = co_await to.connection->receive();
        CHECK_EQ(none.ended, status::closed);
        const status late = co_await to.connection->send_text("late");
        CHECK_EQ(late, status::closed);
        const status again = co_await to.connection->close();
        CHECK_EQ(again, status::closed);
      });
  REQUIRE_EQ(ends.size(), 1u);
  CHECK_EQ(ends[0].ended, status::closed);
  CHECK_EQ(ends[0].code, 4000);
  CHECK_EQ(ends[0].reason, "enough");
  CHECK_EQ(n.accepted, 1u);
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("the server closes with its code, its handler's end with 1000, and its failure with 1011") {
  std::vector<websocket_end> ends;
  const websocket_counters n =
      run_with({}, ends, [](websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        websocket_opened to = co_await c.connect(tcp_place(s.port()), "/echo");
        REQUIRE(to);
        static_cast<void>(co_await to.connection->send_text("close"));
        websocket_message m = co_await to.connection->receive();
        CHECK_EQ(m.ended, status::closed);
        CHECK_EQ(to.connection->end().code, 4001);
        CHECK_EQ(to.connection->end().reason, "as you wish");

        to = co_await c.connect(tcp_place(s.port()), "/who?me", coloured());
        REQUIRE(to);
        m = co_await to.connection->receive();
        CHECK_EQ(m.data, "/who?me red");
        m = co_await to.connection->receive();
        CHECK_EQ(m.ended, status::closed);
        CHECK_EQ(to.connection->end().code, 1000);

        to = co_await c.connect(tcp_place(s.port()), "/echo");
        REQUIRE(to);
        static_cast<void>(co_await to.connection->send_text("fail"));
        m = co_await to.connection->receive();
        CHECK_EQ(m.ended, status::closed);
        CHECK_EQ(to.connection->end().code, 1011);
      });
  CHECK_EQ(ends.size(), 1u);
  CHECK_EQ(n.closed, 3u);
  CHECK_EQ(n.failed, 1u);
}

TEST_CASE("fragments become one message, and pings among them are answered") {
  std::vector<websocket_end> ends;
  const websocket_counters n =
      run_with({}, ends, [](websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        raw_client c;
        std::string got = co_await c.open(by, s.port(), "/echo");
        REQUIRE_EQ(got, "101");
        co_await c.write(masked_frame(0x01, "one ") + masked_frame(0x00, "") + masked_frame(0x00, "two "));
        co_await c.write(masked_frame(0x89, "there?"));
        got = co_await c.read(8);
        CHECK_EQ(got, plain_frame(0x8a, "there?"));
        for (const char byte : masked_frame(0x80, "three")) co_await c.write(std::string(1, byte));
        got = co_await c.read(15);
        CHECK_EQ(got, plain_frame(0x81, "one two three"));
        co_await c.write(masked_frame(0x8a, "unasked") + masked_frame(0x82, "last"));
        got = co_await c.read(6);
        CHECK_EQ(got, plain_frame(0x82, "last"));
        co_await c.write(masked_frame(0x88, ""));
        got = co_await c.rest();
        CHECK_EQ(got, plain_frame(0x88, code_of(1000)));
      });
  REQUIRE_EQ(ends.size(), 1u);
  CHECK_EQ(ends[0].code, 1005);
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("what is too large, or no WebSocket, is refused with its code") {
  std::vector<websocket_end> ends;
  websocket_server_limits l;
  l.each.message_bytes = 1000;
  const websocket_counters n =
      run_with(l, ends, [](websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        const std::string fits(1000, 'f');
        const std::string answer = plain_frame(0x81, fits);
        for (const auto& [bytes, code] : refused_frames()) {
          raw_client c;
          std::string got = co_await c.open(by, s.port(), "/echo");
          REQUIRE_EQ(got, "101");
          co_await c.write(masked_frame(0x81, fits));
          got = co_await c.read(answer.size());
          CHECK_EQ(got, answer);
          co_await c.write(bytes);
          c.to.connection->end_writing();
          got = co_await c.rest();
          CHECK_EQ(got, plain_frame(0x88, code_of(code)));
        }
      });
  CHECK_EQ(n.message_too_large, 4u);
  CHECK_EQ(n.violated, 9u);
  REQUIRE_EQ(ends.size(), 13u);
  for (size_t i = 0; i != 13; ++i) CHECK_EQ(ends[i].ended, i < 4 ? status::truncated : status::closed);
  CHECK_EQ(ends[0].code, 1009);
  CHECK_EQ(ends[12].code, 1007);
}

TEST_CASE("what asks for no WebSocket is refused, and counted") {
  std::vector<websocket_end> ends;
  websocket_server_limits l;
  l.header_bytes = 500;
  const websocket_counters n =
      run_with(l, ends, [](websocket_server& s, websocket_client& c, tcp_client& by) -> async::task<> {
        for (const auto& one : refused_openings()) {
          CAPTURE(one.first);
          const std::string got = co_await exchange(by, s.port(), one.first);
          CHECK_EQ(answers_in(got), one.second);
        }
        for (const std::string own : {"http://127.0.0.1:8080", "https://localhost", "http://[::1]:1"}) {
          raw_client page;
          const std::string got = co_await page.open(by, s.port(), "/who", "Origin: " + own + "\r\n");
          CHECK_EQ(got, "101");
        }
        const websocket_opened none = co_await c.connect(tcp_place(s.port()), "/nowhere");
        CHECK(!none);
        CHECK_EQ(none.why, "the server has answered 404 Not Found");
        // The client hangs up within its request.
        const std::string cut = co_await exchange(by, s.port(), "GET /ec", true);
        CHECK_EQ(answers_in(cut), "400 Bad Request");
      });
  CHECK_EQ(n.malformed, 9u);
  CHECK_EQ(n.header_too_large, 1u);
  CHECK_EQ(n.not_found, 2u);
  CHECK_EQ(n.forbidden, 3u);
  CHECK_EQ(n.accepted, 3u);
}

TEST_CASE("pages are welcome as the limits say") {
  std::vector<websocket_end> ends;
  websocket_server_limits l;
  l.origins = {"http://example.org"};
  const websocket_counters n =
      run_with(l, ends, [](websocket_server& s, websocket_client& c, tcp_client& by) -> async::task<> {
        raw_client page;
        std::string got = co_await page.open(by, s.port(), "/who", "Origin: http://example.org\r\n");
        CHECK_EQ(got, "101");
        got = co_await page.open(by, s.port(), "/who", "Origin: http://localhost\r\n");
        CHECK_EQ(got, "403");
        const websocket_opened no_page = co_await c.connect(tcp_place(s.port()), "/who");
        CHECK(no_page);
      });
  CHECK_EQ(n.forbidden, 1u);
  CHECK_EQ(n.accepted, 2u);
}

TEST_CASE("many clients at once, each with its own messages") {
  std::vector<websocket_end> ends;
  const websocket_counters n =
      run_with({}, ends, [](websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        async::scope all;
        const auto talk = [](websocket_client& by, uint16_t port, int who) -> async::task<> {
          websocket_opened to = co_await by.connect(tcp_place(port), "/echo");
          REQUIRE(to);
          for (int i = 0; i != 20; ++i) {
            const std::string text = std::to_string(who) + " says " + std::to_string(i);
            static_cast<void>(co_await to.connection->send_text(text));
            const websocket_message m = co_await to.connection->receive();
            CHECK_EQ(m.data, text);
          }
          const status closed = co_await to.connection->close();
          CHECK_EQ(closed, status::ok);
        };
        for (int i = 0; i != 100; ++i) all.spawn(talk(c, s.port(), i));
        co_await all.join();
      });
  CHECK_EQ(n.closed, 100u);
  CHECK_EQ(ends.size(), 100u);
}
