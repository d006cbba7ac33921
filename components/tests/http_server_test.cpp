// SPDX-License-Identifier: MIT
#include "network.hpp"

using namespace network_test;

namespace {

async::task<http_response> greet(http_request) {
  co_return http_response(200, "Good morning.");
}
/// Answers with the request that it got.
async::task<http_response> repeat(http_request r) {
  const std::string* const colour = r.header("x-Colour");
  co_return http_response(200, r.method + " " + std::string(r.path()) + " " + std::string(r.query()) + " " +
                                   (colour ? *colour : "none") + " " + r.body);
}
async::task<http_response> fail(http_request) {
  throw std::runtime_error("no paper");
  co_return http_response();
}
async::task<http_response> split(http_request) {
  http_response r;
  r.headers.push_back({"X-Name", "a\r\nX-Other: b"});
  co_return r;
}
/// Answers after ten seconds, or when it is stopped.
async::task<http_response> dream(http_request) {
  const status slept = co_await async::sleep_for(seconds(10));
  if (slept != status::ok) throw std::runtime_error("woken");
  co_return http_response(200, "a dream");
}

struct pages {
  pages(required<http_server> s, context h)
      : here(h),
        greeting(s->route(here, "GET", "/", greet)),
        echo(s->route(here, "POST", "/echo", repeat)),
        echo_get(s->route(here, "GET", "/echo", repeat)),
        failing(s->route(here, "GET", "/fail", fail)),
        splitting(s->route(here, "GET", "/split", split)),
        sleeping(s->route(here, "GET", "/sleep", dream)) {}
  context here;
  http_route greeting, echo, echo_get, failing, splitting, sleeping;
};

std::string get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}
const std::string last = "Connection: close\r\n";

/// An answer without its date.
std::string undated(std::string text) {
  const size_t at = text.find("Date: ");
  return at == std::string::npos ? "no date" : text.erase(at, text.find('\n', at) + 1 - at);
}

/// Runs a script with a server. Returns the server's counters at the end.
http_counters run_with(const http_limits& limits, std::function<async::task<>(http_server&, tcp_client&)> script) {
  program app;
  http_counters n;
  app.serve_http(limits);
  app.add_clients({}, {seconds(5), seconds(5)});
  app.add<pages>();
  using one = driver<pages, http_server, tcp_client>;
  app.add<one>(one::script([&](pages&, http_server& s, tcp_client& c) -> async::task<> {
    co_await script(s, c);
    const status waited = co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(waited, status::ok);
    for (int i = 0; i != 3000 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(10));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

}  // namespace

TEST_CASE("requests are answered by the coroutine of their method and path") {
  const http_counters n = run_with({}, [](http_server& s, tcp_client& c) -> async::task<> {
    const uint16_t port = s.port();
    const std::string page = co_await exchange(c, port, get("/?a=b", last));
    CHECK_EQ(undated(page),
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: "
             "13\r\n\r\nGood morning.");
    const std::string head =
        co_await exchange(c, port, "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK_EQ(undated(head),
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: "
             "13\r\n\r\n");
    const std::string echo = co_await exchange(c, port,
                                               "POST /echo?q=1?2 HTTP/1.1\r\nHost: localhost\r\nX-COLOUR: "
                                               "red\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
    CHECK(echo.ends_with("\r\n\r\nPOST /echo q=1?2 red hello"));
    const std::string unknown = co_await exchange(c, port, get("/unknown", last));
    CHECK_EQ(answers_in(unknown), "404 Not Found");
    const std::string refused =
        co_await exchange(c, port, "PUT /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK_EQ(answers_in(refused), "405 Method Not Allowed");
    CHECK(refused.find("\r\nAllow: GET, HEAD, POST\r\n") != std::string::npos);
  });
  CHECK_EQ(n.connections, 5u);
  CHECK_EQ(n.requests, 5u);
  CHECK_EQ(n.answered, 3u);
  CHECK_EQ(n.not_found, 1u);
  CHECK_EQ(n.not_allowed, 1u);
  CHECK_EQ(n.closed, 5u);
}

TEST_CASE("requests of one connection are answered in their order, and the last one ends it") {
  const http_counters n = run_with({}, [](http_server& s, tcp_client& c) -> async::task<> {
    const std::string all = co_await exchange(
        c, s.port(), get("/echo?1") + get("/unknown") + get("/echo?2") + "GET /echo?3 HTTP/1.0\r\n\r\n" + get("/"));
    CHECK_EQ(answers_in(all), "200 OK|404 Not Found|200 OK|200 OK");
    CHECK(all.find("GET /echo 1 none") < all.find("GET /echo 2 none"));
    CHECK(all.ends_with("GET /echo 3 none "));
  });
  CHECK_EQ(n.requests, 4u);
  CHECK_EQ(n.closed, 1u);
}

TEST_CASE("a body comes in pieces of its own, or after the server has agreed") {
  run_with({}, [](http_server& s, tcp_client& c) -> async::task<> {
    const std::string chunks =
        co_await exchange(c, s.port(),
                          "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: "
                          "close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    CHECK(chunks.ends_with(" abcde"));
    const std::string agreed = co_await exchange(c, s.port(),
                                                 "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: "
                                                 "100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
    CHECK_EQ(answers_in(agreed), "100 Continue|200 OK");
  });
}

TEST_CASE("what is no request is answered with 400") {
  const std::vector<std::string> texts = {
      "hello\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/3.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
  };
  const http_counters n = run_with({}, [&](http_server& s, tcp_client& c) -> async::task<> {
    for (const std::string& text : texts) {
      CAPTURE(text);
      const std::string all = co_await exchange(c, s.port(), text);
      CHECK_EQ(answers_in(all), "400 Bad Request");
    }
    const std::string cut = co_await exchange(c, s.port(), "GET / HTTP/1.1\r\nHos", true);
    CHECK_EQ(answers_in(cut), "400 Bad Request");
  });
  CHECK_EQ(n.malformed, texts.size() + 1);
  CHECK_EQ(n.requests, 0u);
}

TEST_CASE("what is too large is answered with 431 and 413, and what just fits is not") {
  http_limits l;
  l.header_bytes = 200;
  l.body_bytes = 1000;
  const http_counters n = run_with(l, [](http_server& s, tcp_client& c) -> async::task<> {
    const auto with = [](size_t header, const std::string& body) {
      std::string all = "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + body;
      const size_t end = all.find("\r\n\r\n") + 4;
      const std::string filler = "X: " + std::string(header - end - 5, 'x') + "\r\n";
      return all.insert(end - 2, filler);
    };
    const auto body = [](size_t bytes) {
      return "Content-Length: " + std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, 'y');
    };
    std::string all = co_await exchange(c, s.port(), with(200, body(1000)));
    CHECK_EQ(answers_in(all), "200 OK");
    all = co_await exchange(c, s.port(), with(201, body(0)));
    CHECK_EQ(answers_in(all), "431 Request Header Fields Too Large");
    all = co_await exchange(c, s.port(), "GET /" + std::string(100000, 'x'));
    CHECK_EQ(answers_in(all), "431 Request Header Fields Too Large");
    all = co_await exchange(c, s.port(), with(150, body(1001)));
    CHECK_EQ(answers_in(all), "413 Payload Too Large");
    all = co_await exchange(c, s.port(), with(150, body(500000)));
    CHECK_EQ(answers_in(all), "413 Payload Too Large");
    all =
        co_await exchange(c, s.port(), with(150, "Transfer-Encoding: chunked\r\n\r\n400\r\n" + std::string(1024, 'z')));
    CHECK_EQ(answers_in(all), "413 Payload Too Large");
  });
  CHECK_EQ(n.header_too_large, 2u);
  CHECK_EQ(n.body_too_large, 3u);
  CHECK_EQ(n.answered, 1u);
}

TEST_CASE("who is slow is answered with 408, and who says nothing is left") {
  http_limits l;
  l.idle_time = milliseconds(200);
  l.reading_time = milliseconds(300);
  const http_counters n = run_with(l, [](http_server& s, tcp_client& c) -> async::task<> {
    const std::string half = co_await exchange(c, s.port(), "GET / HT");
    CHECK_EQ(answers_in(half), "408 Request Timeout");
    const std::string body =
        co_await exchange(c, s.port(), "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nabc");
    CHECK_EQ(answers_in(body), "408 Request Timeout");
    const std::string silent = co_await exchange(c, s.port(), "");
    CHECK_EQ(silent, "");
    const std::string second = co_await exchange(c, s.port(), get("/"));
    CHECK_EQ(answers_in(second), "200 OK");

    // A byte from time to time does not extend the time.
    tcp_opened drops = co_await c.connect(tcp_place(s.port()));
    for (int i = 0; i != 5000 && s.counters().too_slow != 3; ++i) {
      static_cast<void>(co_await drops.connection->write("G"));
      co_await async::sleep_for(milliseconds(10));
    }
  });
  CHECK_EQ(n.too_slow, 3u);
  CHECK_EQ(n.idle, 2u);
  CHECK_EQ(n.answered, 1u);
}

TEST_CASE("a route that fails is answered with 500, one that is late with 503 and its coroutine is stopped") {
  http_limits l;
  l.answering_time = milliseconds(200);
  const http_counters n = run_with(l, [](http_server& s, tcp_client& c) -> async::task<> {
    const std::string all =
        co_await exchange(c, s.port(), get("/fail") + get("/split") + get("/sleep") + get("/", last));
    CHECK_EQ(answers_in(all), "500 Internal Server Error|500 Internal Server Error|503 Service Unavailable|200 OK");
    CHECK_EQ(all.find("X-Other"), std::string::npos);
  });
  CHECK_EQ(n.failed, 2u);
  CHECK_EQ(n.too_late, 1u);
  CHECK_EQ(n.answered, 1u);
}
