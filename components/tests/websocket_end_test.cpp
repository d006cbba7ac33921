// SPDX-License-Identifier: MIT
#include "websocket_support.hpp"

using namespace network_test;

namespace {

/// A service with a handler and its observations.
struct listener {
  using handler = std::function<async::task<>(websocket&, listener&)>;

  listener(required<websocket_server> s, context h, const handler& serve)
      : here(h), path(s->route(h, "/", [this, serve](websocket& w) { return serve(w, *this); })) {}
  context here;
  std::string log;
  websocket_route path;
};

async::task<> hear(websocket& w, listener& to) {
  while (const websocket_message m = co_await w.receive()) to.log += m.data + " ";
  to.log += std::to_string(static_cast<int>(w.end().ended)) + "/" + std::to_string(w.end().code) + " ";
}

using script = std::function<async::task<>(listener&, websocket_server&, websocket_client&, tcp_client&)>;

websocket_counters run_with(const websocket_server_limits& limits, const listener::handler& serve, script s,
                            const websocket_limits& of_clients = {}) {
  program app;
  websocket_counters n;
  serve_websockets(app, limits);
  add_websocket_clients(app, of_clients, milliseconds(300));
  app.add_clients({}, {seconds(5), seconds(5)});
  app.add<listener>(serve);
  using one = driver<listener, websocket_server, websocket_client, tcp_client>;
  app.add<one>(
      one::script([&](listener& l, websocket_server& by, websocket_client& c, tcp_client& raw) -> async::task<> {
        co_await s(l, by, c, raw);
        co_await wait_until_open(by, 0);
        n = by.counters();
      }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

const std::string gone = std::to_string(static_cast<int>(status::peer_gone)) + "/1006 ";

}  // namespace

TEST_CASE("who opens slowly is answered with 408") {
  websocket_server_limits l;
  l.handshake_time = milliseconds(200);
  const websocket_counters n =
      run_with(l, hear, [](listener&, websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        const std::string half = co_await exchange(by, s.port(), "GET / HT");
        CHECK_EQ(answers_in(half), "408 Request Timeout");
        const std::string silent = co_await exchange(by, s.port(), "");
        CHECK_EQ(answers_in(silent), "408 Request Timeout");
        // A byte from time to time does not extend the time.
        tcp_opened drops = co_await by.connect(tcp_place(s.port()));
        for (int i = 0; i != 5000 && s.counters().too_slow != 3; ++i) {
          static_cast<void>(co_await drops.connection->write("G"));
          co_await async::sleep_for(milliseconds(10));
        }
      });
  CHECK_EQ(n.too_slow, 3u);
}

TEST_CASE("a silent client is asked, and left when it does not answer") {
  websocket_server_limits l;
  l.each.idle_time = milliseconds(200);
  std::string log;
  const websocket_counters n =
      run_with(l, hear, [&](listener& h, websocket_server& s, websocket_client& c, tcp_client& by) -> async::task<> {
        websocket_opened answers = co_await c.connect(tcp_place(s.port()), "/");
        REQUIRE(answers);
        raw_client silent;
        std::string got = co_await silent.open(by, s.port(), "/");
        REQUIRE_EQ(got, "101");
        got = co_await silent.rest();
        CHECK_EQ(got, plain_frame(0x89, ""));
        co_await wait_until_open(s, 1);
        co_await async::sleep_for(milliseconds(600));
        CHECK_EQ(s.counters().idle, 1u);
        CHECK_EQ(answers.connection->end().ended, status::ok);
        static_cast<void>(co_await answers.connection->close());
        log = h.log;
      });
  CHECK_EQ(n.idle, 1u);
  CHECK_EQ(n.closed, 1u);
  CHECK_EQ(log.substr(0, gone.size()), gone);
}

TEST_CASE("a client that is not answered, or finds nobody, has no connection") {
  program app;
  app.serve_tcp([](tcp_connection& c) -> async::task<> {
    char some[1000];
    const tcp_result got = co_await c.read_some(some);
    CHECK(got);
    co_await async::sleep_for(seconds(10));
  });
  add_websocket_clients(app, {}, milliseconds(200));
  using one = driver<tcp_server, websocket_client>;
  app.add<one>(one::script([](tcp_server& s, websocket_client& c) -> async::task<> {
    const websocket_opened none = co_await c.connect(tcp_place(s.port()), "/");
    CHECK(!none);
    CHECK_EQ(none.ended, status::timed_out);
    const websocket_opened nobody = co_await c.connect(tcp_place(1), "/");
    CHECK_EQ(nobody.ended, status::closed);
    CHECK_EQ(nobody.why, "Connection refused");
  }));
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("a receive that was stopped, or whose time was up, loses nothing") {
  const websocket_counters n = run_with(
      {},
      [](websocket& w, listener& to) -> async::task<> {
        async::scope inner;
        const auto wait = [](websocket& of, listener& l) -> async::task<> {
          const websocket_message m = co_await of.receive();
          l.log += m.ended == status::cancelled ? "cancelled " : "not cancelled ";
        };
        inner.spawn(wait(w, to));
        const websocket_message none = co_await w.receive(milliseconds(50));
        to.log += none.ended == status::timed_out ? "timed_out " : "not timed_out ";
        inner.stop();
        co_await inner.join();
        static_cast<void>(co_await w.send_text("now"));
        co_await hear(w, to);
      },
      [](listener& l, websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        websocket_opened to = co_await c.connect(tcp_place(s.port()), "/");
        REQUIRE(to);
        const websocket_message now = co_await to.connection->receive();
        CHECK_EQ(now.data, "now");
        for (const std::string text : {"a", "b", "c"}) static_cast<void>(co_await to.connection->send_text(text));
        static_cast<void>(co_await to.connection->close(3000));
        co_await wait_until_open(s, 0);
        CHECK_EQ(l.log, "timed_out cancelled a b c 3/3000 ");
      });
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("a client that vanishes ends the receive and the send of its handler") {
  const websocket_counters n =
      run_with({}, hear, [](listener& l, websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        websocket_opened to = co_await c.connect(tcp_place(s.port()), "/");
        REQUIRE(to);
        static_cast<void>(co_await to.connection->send_text("hello"));
        to.connection.reset();
        co_await wait_until_open(s, 0);
        CHECK_EQ(l.log, "hello " + gone);
      });
  CHECK_EQ(n.left, 1u);
}

TEST_CASE("senders stand in line, and a side that takes nothing is left") {
  websocket_server_limits l;
  l.each.sending_time = milliseconds(300);
  std::string log;
  const websocket_counters n = run_with(
      l,
      [&](websocket& w, listener&) -> async::task<> {
        async::scope senders;
        const auto say = [&log](websocket& to, char what, baton::time_limit limit) -> async::task<> {
          std::string text;
          text.resize(30000000, what);
          const status sent = co_await to.send_text(text, limit);
          log += what + std::to_string(static_cast<int>(sent)) + " ";
        };
        senders.spawn(say(w, 'a', baton::forever));
        senders.spawn(say(w, 'b', milliseconds(100)));
        senders.spawn(say(w, 'c', baton::forever));
        co_await senders.join();
      },
      [](listener&, websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        raw_client c;
        const std::string got = co_await c.open(by, s.port(), "/");
        REQUIRE_EQ(got, "101");
        co_await wait_until_open(s, 0);
      });
  CHECK_EQ(log, "b4 a4 c3 ");  // timed_out, timed_out, closed
  CHECK_EQ(n.not_taken, 1u);
}

TEST_CASE("what is not received is not read without end") {
  websocket_server_limits l;
  l.each.waiting_messages = 2;
  async::manual_event go;
  const websocket_counters n = run_with(
      l,
      [&go](websocket& w, listener& to) -> async::task<> {
        const status told = co_await go.wait();
        CHECK_EQ(told, status::ok);
        while (const websocket_message m = co_await w.receive()) to.log += m.data[0];
      },
      [&go](listener& to, websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        raw_client c;
        const std::string got = co_await c.open(by, s.port(), "/");
        REQUIRE_EQ(got, "101");
        int sent = 0;
        const auto flood = [](raw_client& from, int& count) -> async::task<> {
          const std::string one = masked_frame(0x82, std::string(1000000, 'm'));
          for (; count != 40; ++count) co_await from.write(one);
        };
        async::scope flooding;
        flooding.spawn(flood(c, sent));
        // Wait until the system accepts nothing more. Forty megabytes are more than it holds.
        for (int seen = -1; seen != sent;) {
          seen = sent;
          co_await async::sleep_for(milliseconds(1000));
        }
        CHECK_LT(sent, 40);
        go.set();
        co_await flooding.join();
        co_await c.write(masked_frame(0x88, ""));
        const std::string rest = co_await c.rest();
        CHECK_EQ(rest, plain_frame(0x88, "\x03\xe8"));
        CHECK_EQ(to.log, std::string(40, 'm'));
      });
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("a client that does not answer a close is left") {
  websocket_server_limits l;
  l.each.closing_time = milliseconds(200);
  status closed = status::ok;
  const websocket_counters n = run_with(
      l, [&](websocket& w, listener&) -> async::task<> { closed = co_await w.close(1000, "bye"); },
      [](listener&, websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        raw_client c;
        std::string got = co_await c.open(by, s.port(), "/");
        REQUIRE_EQ(got, "101");
        got = co_await c.rest();
        CHECK_EQ(got, plain_frame(0x88,
                                  "\x03\xe8"
                                  "bye"));
      });
  CHECK_EQ(closed, status::timed_out);
  CHECK_EQ(n.not_taken, 1u);
}

TEST_CASE("a client that does not hang up after the close is left") {
  websocket_server_limits l;
  l.each.closing_time = milliseconds(200);
  const websocket_counters n =
      run_with(l, hear, [](listener& to, websocket_server& s, websocket_client&, tcp_client& by) -> async::task<> {
        raw_client c;
        const std::string got = co_await c.open(by, s.port(), "/");
        REQUIRE_EQ(got, "101");
        co_await c.write(masked_frame(0x88, "\x03\xe9"));
        co_await wait_until_open(s, 0);
        CHECK_EQ(to.log, "3/1001 ");
      });
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("there are no more connections than the limit says") {
  websocket_server_limits l;
  l.connections = 2;
  const websocket_counters n =
      run_with(l, hear, [](listener&, websocket_server& s, websocket_client& c, tcp_client&) -> async::task<> {
        websocket_opened first = co_await c.connect(tcp_place(s.port()), "/");
        websocket_opened second = co_await c.connect(tcp_place(s.port()), "/");
        CHECK((first && second));
        const websocket_opened third = co_await c.connect(tcp_place(s.port()), "/");
        CHECK_EQ(third.ended, status::closed);
        static_cast<void>(co_await first.connection->close());
        co_await wait_until_open(s, 1);
        first = co_await c.connect(tcp_place(s.port()), "/");
        CHECK(first);
        static_cast<void>(co_await first.connection->close());
        static_cast<void>(co_await second.connection->close());
      });
  CHECK_EQ(n.turned_away, 1u);
  CHECK_EQ(n.closed, 3u);
}

TEST_CASE("a path's service is stopped while it serves: its clients are told, and it can come again") {
  program app;
  serve_websockets(app);
  add_websocket_clients(app);
  const service_id id = app.add<listener>(listener::handler(hear)).id();
  using one = driver<websocket_server, websocket_client>;
  app.add<one>(one::script([&](websocket_server& s, websocket_client& c) -> async::task<> {
    websocket_opened to = co_await c.connect(tcp_place(s.port()), "/");
    REQUIRE(to);
    app.main().stop(id);
    const websocket_message m = co_await to.connection->receive();
    CHECK_EQ(m.ended, status::closed);
    CHECK_EQ(to.connection->end().code, 1001);
    const websocket_opened none = co_await c.connect(tcp_place(s.port()), "/");
    CHECK_EQ(none.why, "the server has answered 404 Not Found");
    app.main().start(id);
    const status started = co_await app.main().started(id);
    CHECK_EQ(started, status::ok);
    to = co_await c.connect(tcp_place(s.port()), "/");
    CHECK(to);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("the server's stop tells its clients, waits for none, and then the place is free") {
  uint16_t port = 0;
  for (int round = 0; round != 2; ++round) {
    program app;
    serve_websockets(app, {}, tcp_place(port));
    add_websocket_clients(app);
    app.add_clients({}, {seconds(5), seconds(5)});
    std::vector<websocket_opened> open;
    raw_client silent, half;
    std::string log;
    websocket_route path;  // no service owns it: the end of its connection stops the handler
    using one = driver<websocket_server, websocket_client, tcp_client>;
    app.add<one>(one::script([&](websocket_server& s, websocket_client& c, tcp_client& by) -> async::task<> {
      port = s.port();
      path = s.route(app.main(), "/", [&log](websocket& w) -> async::task<> {
        const websocket_message m = co_await w.receive();
        log += m.ended == status::ok ? "message " : "end ";
      });
      for (int i = 0; i != 3; ++i) open.push_back(co_await c.connect(tcp_place(port), "/"));
      const std::string got = co_await silent.open(by, port, "/");
      CHECK_EQ(got, "101");
      half.to = co_await by.connect(tcp_place(port));
      co_await half.write("GET / HT");
      co_await wait_until_open(s, 5);
    }));
    CHECK_EQ(app.run(), 0);
    CHECK_EQ(app.told, "");
    CHECK_EQ(log, "end end end end ");
  }
}
