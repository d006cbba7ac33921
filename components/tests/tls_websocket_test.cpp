// SPDX-License-Identifier: MIT
#include "tls_support.hpp"
#include "websocket_support.hpp"

using namespace network_test;

namespace {

async::task<> repeat(websocket& to) {
  while (const websocket_message m = co_await to.receive()) static_cast<void>(co_await to.send_text(m.data));
}

template <typename Server>
struct parrot {
  parrot(required<Server> s, context here) : path(route(*s, here)) {}
  static websocket_route route(websocket_server& s, context here) { return s.route(here, "/parrot", repeat); }
  static websocket_route route(http_server& s, context here) { return s.websocket(here, "/parrot", repeat); }
  websocket_route path;
};

websocket_limits large() {
  websocket_limits l;
  l.compresses = true;
  l.message_bytes = 2u << 20;
  return l;
}
/// A text that is not compressed to nothing.
std::string megabyte() {
  std::string all;
  for (uint32_t i = 0; all.size() < 1u << 20; ++i) all += std::to_string(i * 2654435761u);
  return all;
}

async::task<> send_and_receive(websocket& to, const std::string& text) {
  const status sent = co_await to.send_text(text);
  CHECK_EQ(sent, status::ok);
  const websocket_message m = co_await to.receive();
  CHECK(m.data == text);
}
async::task<> talk(websocket_client& c, tcp_place to) {
  websocket_opened one = co_await c.connect(std::move(to), "/parrot");
  CHECK_EQ(one.why, "");
  if (!one) co_return;
  const std::string small_text = "hello";
  const std::string large_text = megabyte();
  co_await send_and_receive(*one.connection, small_text);
  co_await send_and_receive(*one.connection, large_text);
  const status closed = co_await one.connection->close(1000, {});
  CHECK_EQ(closed, status::ok);
}

}  // namespace

TEST_CASE("compressed messages go over TLS, at a port of their own") {
  const authority root("root");
  const secured s(root, root.issue({"x", "DNS:localhost"}));
  program app;
  websocket_server_limits l;
  l.each = large();
  serve_websockets(app, l, s.place());
  add_websocket_clients(app, large());
  app.add<parrot<websocket_server>>();
  using one = driver<parrot<websocket_server>, websocket_server, websocket_client>;
  app.add<one>(one::script([&](auto&, websocket_server& to, websocket_client& c) -> async::task<> {
    co_await talk(c, s.place(to.port()));
    const websocket_opened none = co_await c.connect(s.place(to.port(), "127.0.0.1"), "/parrot");
    CHECK_EQ(none.why, "IP address mismatch");
    co_await wait_until_open(to, 0);
    CHECK_EQ(to.counters().closed, 1u);
    CHECK_EQ(to.counters().handshake_failed, 1u);
    check_sums(to.counters());
    const websocket_opened open = co_await c.connect(s.place(to.port()), "/parrot");
    const status drained = co_await to.drain(seconds(10));
    CHECK_EQ(drained, status::ok);
    const websocket_message m = co_await open.connection->receive();
    CHECK_EQ(m.ended, status::closed);
    CHECK_EQ(open.connection->end().code, 1001);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("a connection of HTTP over TLS becomes a WebSocket") {
  const authority root("root");
  const secured s(root, root.issue());
  program app;
  http_limits l;
  l.websocket = large();
  app.serve_http(l, s.place());
  add_websocket_clients(app, large());
  app.add<parrot<http_server>>();
  using one = driver<parrot<http_server>, http_server, websocket_client>;
  app.add<one>(one::script([&](auto&, http_server& to, websocket_client& c) -> async::task<> {
    co_await talk(c, s.place(to.port()));
    for (int i = 0; i != 5000 && to.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(to.counters().upgraded, 1u);
    check_sums(to.counters());
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}
