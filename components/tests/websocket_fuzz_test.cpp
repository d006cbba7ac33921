// SPDX-License-Identifier: MIT
#include <random>

#include "websocket_support.hpp"

using namespace network_test;

namespace {

/// Opening requests and frames with mistakes, which depend on the seed alone.
class mutator {
 public:
  explicit mutator(uint32_t seed) : random_(seed) {}

  std::string next_opening() {
    static const std::vector<std::string> pieces = {"\r\n",
                                                    "Sec-WebSocket-Version: 8\r\n",
                                                    "Upgrade: h2c\r\n",
                                                    "Connection: close\r\n",
                                                    "Content-Length: 4\r\n",
                                                    "Transfer-Encoding: chunked\r\n",
                                                    "Origin: http://example.org\r\n",
                                                    "Sec-WebSocket-Key: \r\n",
                                                    "Sec-WebSocket-Extensions: permessage-deflate; a=\"\r\n",
                                                    std::string(3000, 'a'),
                                                    std::string(1, '\0'),
                                                    "\xff"};
    const bool is_of_a_page = below(8) == 0;
    std::string all = opening(below(8) == 0 ? "/nowhere" : "/", is_of_a_page ? "Origin: http://example.org\r\n" : "");
    for (size_t n = below(4); n != 0; --n) change(all, pieces);
    return all;
  }
  std::string next_frames() {
    static const std::vector<std::string> pieces = {masked_frame(0x81, "text"),
                                                    masked_frame(0x01, "begun"),
                                                    masked_frame(0x80, "ended"),
                                                    masked_frame(0x89, "ping"),
                                                    masked_frame(0x8a, ""),
                                                    masked_frame(0x88,
                                                                 "\x03\xe8"
                                                                 "bye"),
                                                    masked_frame(0x82, std::string(400, '\x80')),
                                                    masked_frame(0x81, std::string(1500, 'l')),
                                                    plain_frame(0x81, "no mask"),
                                                    "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                                                    "\x82\xfe"};
    std::string all;
    for (size_t n = 1 + below(5); n != 0; --n) all += pieces[below(pieces.size() - (below(3) == 0 ? 0 : 4))];
    for (size_t n = below(4); n != 0; --n) change(all, pieces);
    return all;
  }
  size_t below(size_t n) { return random_() % n; }

 private:
  void change(std::string& t, const std::vector<std::string>& pieces) {
    const size_t at = below(t.size() + 1);
    switch (below(4)) {
      case 0:
        if (at != t.size()) t[at] = static_cast<char>(below(256));
        break;
      case 1:
        t.erase(at, below(8));
        break;
      case 2:
        t.insert(at, pieces[below(pieces.size())]);
        break;
      default:
        if (below(3) == 0) t.resize(at);
    }
    if (t.empty()) t = "\r\n";
  }

  std::mt19937 random_;
};

async::task<> repeat(websocket& to) {
  while (const websocket_message m = co_await to.receive()) {
    if (m.is_text) {
      static_cast<void>(co_await to.send_text(m.data));
    } else {
      static_cast<void>(co_await to.send_binary(m.data));
    }
  }
}

async::task<> play(tcp_client& c, uint16_t port, uint32_t seed, uint64_t& count) {
  mutator m(seed);
  for (int i = 0; i != 60; ++i) {
    ++count;
    if (m.below(3) == 0) {
      const std::string text = m.next_opening();
      CAPTURE(text);
      const std::string all = co_await exchange(c, port, text, m.below(8) != 0);
      CHECK_EQ(all.find("timed_out"), std::string::npos);
      CHECK((all.empty() || all.starts_with("HTTP/1.1 ")));
      continue;
    }
    const std::string frames = m.next_frames();
    CAPTURE(frames);
    raw_client one;
    const std::string opened = co_await one.open(c, port, "/");
    CHECK_EQ(opened, "101");
    if (opened != "101") continue;
    co_await one.write(frames);
    if (m.below(12) != 0) one.to.connection->end_writing();
    const std::string all = co_await one.rest();
    CHECK(!all.ends_with("timed out"));
  }
}

}  // namespace

TEST_CASE("openings and frames with mistakes end their connection, and all are counted") {
  websocket_server_limits l;
  l.header_bytes = 1000;
  l.handshake_time = milliseconds(200);
  l.each = {1000, 2, milliseconds(200), milliseconds(200), milliseconds(200)};
  uint64_t begun = 0;
  websocket_counters n;
  program app;
  serve_websockets(app, l);
  add_websocket_clients(app);
  app.add_clients({}, {seconds(20), seconds(20)});
  using one = driver<websocket_server, websocket_client, tcp_client>;
  app.add<one>(one::script([&](websocket_server& s, websocket_client& w, tcp_client& c) -> async::task<> {
    const websocket_route path = s.route(app.main(), "/", repeat);
    async::scope players;
    for (uint32_t seed = 1; seed != 17; ++seed) players.spawn(play(c, s.port(), seed, begun));
    co_await players.join();
    websocket_opened good = co_await w.connect(tcp_place(s.port()), "/");
    REQUIRE(good);
    static_cast<void>(co_await good.connection->send_text("well?"));
    const websocket_message m = co_await good.connection->receive();
    CHECK_EQ(m.data, "well?");
    const status closed = co_await good.connection->close();
    CHECK_EQ(closed, status::ok);
    co_await wait_until_open(s, 0);
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  CHECK_EQ(begun, 16u * 60u);
  CHECK_EQ(n.connections, begun + 1);
  // Each kind of end has occurred.
  CHECK_GT(n.accepted, 500u);
  CHECK_GT(n.malformed, 100u);
  CHECK_GT(n.header_too_large, 4u);
  CHECK_GT(n.too_slow, 2u);
  CHECK_GT(n.forbidden, 2u);
  CHECK_GT(n.not_found, 2u);
  CHECK_GT(n.closed, 50u);
  CHECK_GT(n.violated, 100u);
  CHECK_GT(n.message_too_large, 20u);
  CHECK_GT(n.left, 20u);
  CHECK_GT(n.idle, 5u);
  CHECK_EQ(n.failed, 0u);
}
