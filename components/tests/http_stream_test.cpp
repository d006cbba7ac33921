// SPDX-License-Identifier: MIT
#include <baton/components/http_events.hpp>

#include "network.hpp"

using namespace network_test;

namespace {

std::string get(const std::string& path, const std::string& more = "Connection: close\r\n") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}

/// Answers with its parameters.
async::task<http_response> tell(http_request r) {
  std::string all;
  for (const http_header& p : r.parameters) all += p.name + "=" + p.value + ";";
  co_return http_response(200, all);
}

struct pages {
  pages(required<http_server> s, context h) : server(s), here(h) {
    for (const char* path : {"/users/me", "/users/{id}", "/users/{id}/orders/{order}", "/users/{id}/all", "/{top}/x"}) {
      add(path, tell);
    }
    add("/events", [this](const http_request&) { return events(); });
    add("/broken", [](const http_request&) { return broken(); });
    add("/endless", [this](const http_request&) { return endless(); });
  }
  void add(const char* path, http_handler by) { all.push_back(server->route(here, "GET", path, std::move(by))); }

  async::task<http_response> events() {
    co_return event_stream([](http_stream& to) -> async::task<> {
      static_cast<void>(co_await to.write(text_of({"one\ntwo", "tick", "7"})));
      static_cast<void>(co_await to.write(text_of({"", "", ""})));
    });
  }
  static async::task<http_response> broken() {
    http_response r;
    r.stream = [](http_stream& to) -> async::task<> {
      static_cast<void>(co_await to.write("begun"));
      throw std::runtime_error("no more");
    };
    co_return r;
  }
  async::task<http_response> endless() {
    co_return event_stream([this](http_stream& to) -> async::task<> {
      const std::string piece(100000, 'x');
      ++streams;
      status written = status::ok;
      while (written == status::ok) {
        written = co_await to.write(piece);
        pieces += written == status::ok ? 1 : 0;
      }
      --streams;
    });
  }

  required<http_server> server;
  context here;
  std::vector<http_route> all;
  int streams = 0;
  int pieces = 0;
};

http_counters run_with(std::function<async::task<>(pages&, http_server&, tcp_client&)> play,
                       const http_limits& l = {}) {
  program app;
  http_counters n;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<pages>();
  using one = driver<pages, http_server, tcp_client>;
  app.add<one>(typename one::script([&](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    co_await play(p, s, c);
    for (int i = 0; i != 5000 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

}  // namespace

TEST_CASE("a segment of a path is a parameter, and the most exact path is preferred") {
  run_with([](pages& p, http_server& s, tcp_client& c) -> async::task<> {
    const std::vector<std::pair<std::string, std::string>> all = {{"/users/me", ""},
                                                                  {"/users/42", "id=42;"},
                                                                  {"/users/4%2f2?x=/", "id=4%2f2;"},
                                                                  {"/users/a/all", "id=a;"},
                                                                  {"/users/a/orders/b", "id=a;order=b;"},
                                                                  {"/users/x", "id=x;"},
                                                                  {"/other/x", "top=other;"}};
    for (const auto& one_of : all) {
      const auto& [path, answer] = one_of;
      CAPTURE(one_of.first);
      const std::string got = co_await exchange(c, s.port(), get(path));
      CHECK_EQ(answers_in(got), "200 OK");
      CHECK(got.ends_with("\r\n\r\n" + answer));
    }
    for (const char* path : {"/users/", "/users", "/users/a/", "/users/a/orders/", "/users//all", "/other/y"}) {
      CAPTURE(path);
      const std::string got = co_await exchange(c, s.port(), get(path));
      CHECK_EQ(answers_in(got), "404 Not Found");
    }
    for (const char* path :
         {"/users/{id", "/a/{}", "/a/x{id}", "/a/{id}x", "/a/{{id}}", "/users/{id}", "/users/{name}"}) {
      CAPTURE(path);
      CHECK_THROWS_AS(p.add(path, tell), std::invalid_argument);
    }
    p.all.clear();
    const std::string gone = co_await exchange(c, s.port(), get("/users/42"));
    CHECK_EQ(answers_in(gone), "404 Not Found");
  });
}

TEST_CASE("a part of a target is decoded on demand") {
  CHECK_EQ(percent_decoded("a%20b%2Fc+d"), "a b/c+d");
  CHECK_EQ(percent_decoded("%e4"), "\xe4");
  for (const char* text : {"%", "%4", "a%4g", "%g4"}) CHECK_EQ(percent_decoded(text), "");
}

TEST_CASE("events are sent one by one, each line of their data in a line") {
  run_with([](pages&, http_server& s, tcp_client& c) -> async::task<> {
    const std::string got = co_await exchange(c, s.port(), get("/events"));
    CHECK(got.find("Content-Type: text/event-stream\r\n") != std::string::npos);
    CHECK(got.find("event: tick\nid: 7\ndata: one\ndata: two\n\n") != std::string::npos);
    CHECK(got.ends_with("0\r\n\r\n"));
    const std::string head =
        co_await exchange(c, s.port(), "HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/users/me"));
    CHECK_EQ(answers_in(head), "200 OK|200 OK");
    CHECK_EQ(head.find("tick"), std::string::npos);
  });
  // A line end in a name would begin a field of its own.
  CHECK_EQ(text_of({"a\r\nb\rc", "x\ndata: evil", "1\r2"}),
           "event: xdata: evil\nid: 12\ndata: a\ndata: b\ndata: c\n\n");
}

TEST_CASE("a body that breaks off is not taken for a whole one") {
  run_with([](pages&, http_server& s, tcp_client& c) -> async::task<> {
    const std::string got = co_await exchange(c, s.port(), get("/broken", ""));
    CHECK(got.ends_with("5\r\nbegun\r\n"));
  });
}

TEST_CASE("a stream waits for its client, and ends with it") {
  http_limits l;
  l.writing_time = seconds(100);
  run_with(
      [](pages& p, http_server& s, tcp_client& c) -> async::task<> {
        {
          const tcp_opened one = co_await c.connect(tcp_place(s.port()));
          static_cast<void>(co_await one.connection->write(get("/endless")));
          for (int i = 0; i != 5000 && p.pieces == 0; ++i) co_await async::sleep_for(milliseconds(1));
          // The system's buffers are full at some time, and then nothing more is written.
          int before = -1;
          for (int i = 0; i != 500 && p.pieces != before; ++i) {
            before = p.pieces;
            co_await async::sleep_for(milliseconds(100));
          }
          CHECK_EQ(p.pieces, before);
          CHECK_EQ(p.streams, 1);
        }
        for (int i = 0; i != 5000 && p.streams != 0; ++i) co_await async::sleep_for(milliseconds(1));
        CHECK_EQ(p.streams, 0);
      },
      l);
}
