// SPDX-License-Identifier: MIT
#include "network.hpp"

using namespace network_test;

namespace {

/// Answers with the request that it got.
async::task<http_response> repeat(http_request r) {
  const std::string* const type = r.header("Content-Type");
  http_response to(200, r.method + " " + r.target + " " + (type ? *type : "none") + " " + r.body, "text/x-echo");
  to.headers.push_back({"X-Colour", "red"});
  co_return to;
}
async::task<http_response> nothing(http_request) {
  co_return http_response(204);
}

struct pages {
  pages(required<http_server> s, context here)
      : echo(s->route(here, "POST", "/echo", repeat)),
        echo_get(s->route(here, "GET", "/echo", repeat)),
        empty(s->route(here, "GET", "/nothing", nothing)) {}
  http_route echo, echo_get, empty;
};

/// A TCP server that sends this text and hangs up, or waits if the text is empty.
tcp_handler says(const std::string& text) {
  return [text](tcp_connection& c) -> async::task<> {
    char some[1000];
    static_cast<void>(co_await c.read_some(some));
    static_cast<void>(co_await c.write(text));
    if (!text.empty()) {
      c.end_writing();
      for (;;) {
        const tcp_result more = co_await c.read_some(some);
        if (!more) co_return;
      }
    }
    co_await async::sleep_for(seconds(100));
  };
}

/// The reply of a client to a server that sends this text.
http_reply reply_to(const std::string& text) {
  program app;
  app.serve_tcp(says(text));
  http_client_limits l;
  l.time = milliseconds(text.empty() ? 50 : 5000);
  l.header_bytes = 200;
  l.body_bytes = 1000;
  app.add_clients(l);
  http_reply got(status::full);
  using one = driver<tcp_server, http_client>;
  app.add<one>(one::script(
      [&](tcp_server& s, http_client& c) -> async::task<> { got = co_await c.get(tcp_place(s.port()), "/"); }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  return got;
}

}  // namespace

TEST_CASE("a client gets and posts, and hears all of the answer") {
  program app;
  app.serve_http();
  app.add_clients();
  app.add<pages>();
  using one = driver<pages, http_server, http_client>;
  app.add<one>(one::script([](pages&, http_server& s, http_client& c) -> async::task<> {
    const tcp_place at(s.port());
    http_reply r = co_await c.get(at, "/echo?a");
    CHECK_EQ(r.ended, status::ok);
    CHECK_EQ(r.response.status, 200);
    CHECK_EQ(r.response.body, "GET /echo?a none ");
    CHECK_EQ(r.response.type, "text/x-echo");
    CHECK_EQ(*r.response.header("x-colour"), "red");
    r = co_await c.post(tcp_place(s.port(), "localhost"), "/echo", std::string(300000, 'x'), "text/y");
    CHECK_EQ(r.response.body, "POST /echo text/y " + std::string(300000, 'x'));
    r = co_await c.get(at, "/nothing");
    CHECK_EQ(r.response.status, 204);
    CHECK_EQ(r.response.body, "");
    http_request head("HEAD", "/echo");
    r = co_await c.send(at, std::move(head));
    CHECK_EQ(r.response.status, 200);
    CHECK_EQ(*r.response.header("Content-Length"), "16");
    CHECK_EQ(r.response.body, "");
    r = co_await c.post(at, "/echo", std::string((1u << 20) + 1, 'x'));
    CHECK_EQ(r.response.status, 413);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("a client refuses what is too large, is no response, or takes too long") {
  const std::string start = "HTTP/1.1 200 OK\r\n";
  http_reply r = reply_to(start + "Content-Length: 1000\r\n\r\n" + std::string(1000, 'x'));
  CHECK_EQ(r.ended, status::ok);
  CHECK_EQ(r.response.body.size(), 1000u);
  CHECK_EQ(reply_to(start + "Content-Length: 1001\r\n\r\n" + std::string(1001, 'x')).ended, status::truncated);
  CHECK_EQ(reply_to(start + "\r\n" + std::string(1001, 'x')).ended, status::truncated);
  CHECK_EQ(reply_to(start + "X: " + std::string(500, 'x') + "\r\n\r\n").ended, status::truncated);
  CHECK_EQ(reply_to("").ended, status::timed_out);
  r = reply_to("hello\r\n\r\n");
  CHECK_EQ(r.ended, status::closed);
  CHECK_EQ(r.why, "bad version");
  CHECK_EQ(reply_to(start + "Content-Length: 10\r\n\r\nabc").ended, status::closed);
}

TEST_CASE("nobody listens, or nobody waits any more") {
  program app;
  app.serve_tcp(says(""));
  app.add_clients();
  using one = driver<tcp_server, http_client>;
  app.add<one>(one::script([](tcp_server& s, http_client& c) -> async::task<> {
    http_reply r = co_await c.get(tcp_place(1), "/");
    CHECK_EQ(r.ended, status::closed);
    CHECK_EQ(r.why, "Connection refused");

    async::scope hurried;
    hurried.spawn([](http_client& by, uint16_t port, http_reply& to) -> async::task<> {
      to = co_await by.get(tcp_place(port), "/");
    }(c, s.port(), r));
    for (int i = 0; i != 5000 && s.counters().open == 0; ++i) co_await async::sleep_for(milliseconds(1));
    hurried.stop();
    co_await hurried.join();
    CHECK_EQ(r.ended, status::cancelled);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}
