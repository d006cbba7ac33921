// SPDX-License-Identifier: MIT
//
// Bodies of requests that a route reads in pieces.
#include <baton/components/http_body.hpp>

#include <stdexcept>

#include "network.hpp"

using namespace network_test;

namespace {

const std::string probe = "GET /probe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

std::string head(const std::string& path, const std::string& headers) {
  return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}
std::string sized(const std::string& path, const std::string& body, const std::string& more = "") {
  return head(path, "Content-Length: " + std::to_string(body.size()) + "\r\n" + more) + body;
}
std::string chunk(const std::string& text) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", text.size());
  return size + text + "\r\n";
}
const std::string chunked = "Transfer-Encoding: chunked\r\n";
const std::string last_chunk = "0\r\n\r\n";

/// A text whose bytes differ, so that a piece that is lost or comes twice shows.
std::string text_of(size_t bytes) {
  std::string all;
  for (size_t i = 0; i < bytes; i += 8) all += std::to_string(10000000 + i / 8);
  all.resize(bytes);
  return all;
}

template <typename Condition>
async::task<> until(Condition is_met) {
  for (int i = 0; i != 5000 && !is_met(); ++i) co_await async::sleep_for(milliseconds(1));
  CHECK(is_met());
}

struct uploads {
  uploads(required<http_server> s, context here, http_body_limits l)
      : upload(s->route(here, "POST", "/files/{name}",
                        streamed_body([this](http_request r, http_body& b) { return store(std::move(r), b); }, l))),
        early(s->route(here, "POST", "/early", streamed_body(refuse, l))),
        patient(s->route(here, "POST", "/patient",
                         streamed_body([this](http_request r, http_body& b) { return wait(std::move(r), b); }, l))),
        hasty(s->route(here, "POST", "/hasty",
                       streamed_body([this](const http_request&, http_body& b) { return ask_in_vain(b); }, l))),
        stuck(s->route(here, "POST", "/stuck",
                       streamed_body([this](const http_request&, http_body&) { return hang(); }, l))),
        get(s->route(here, "GET", "/probe", [](const http_request&) { return done(200, "probed"); })) {}

  static async::task<http_response> done(uint16_t code, std::string text) { co_return http_response(code, text); }

  async::task<http_response> store(http_request r, http_body& body) {
    std::string all;
    while (const http_piece p = co_await body.read()) {
      all += p.bytes;
      note_piece(p.bytes.size());
    }
    end = body.end();
    if (!body.is_whole()) co_return http_response(400, "I have a part of it.");
    stored = all;
    co_return http_response(200, *r.parameter("name") + " has " + std::to_string(all.size()) + " bytes");
  }

  void note_piece(size_t bytes) {
    largest = std::max(largest, bytes);
    ++pieces;
  }

  static async::task<http_response> refuse(http_request, http_body&) { co_return http_response(403, "not here"); }

  /// Reads when it is told to, perhaps after the first piece.
  async::task<http_response> wait(http_request r, http_body& body) {
    size_t bytes = 0;
    if (r.query() == "first") {
      const http_piece p = co_await body.read();
      bytes = p.bytes.size();
    }
    ++asked;
    static_cast<void>(co_await go_on.wait());
    while (const http_piece p = co_await body.read()) bytes += p.bytes.size();
    end = body.end();
    co_return http_response(200, std::to_string(bytes));
  }

  /// Reads with a limit until there is something.
  async::task<http_response> ask_in_vain(http_body& body) {
    std::string all;
    for (;;) {
      const http_piece p = co_await body.read(milliseconds(5));
      all += p.bytes;
      if (p.ended == status::timed_out) ++asked;
      if (p.ended == status::closed) co_return http_response(200, all);
    }
  }

  async::task<http_response> hang() {
    ++asked;
    const status waited = co_await go_on.wait();
    if (waited == status::cancelled) {
      ++cut;
      throw std::runtime_error("cut short");
    }
    co_return http_response(200, "gone on");
  }

  int pieces = 0;
  size_t largest = 0;
  std::string stored;
  http_body_end end = http_body_end::none;
  int asked = 0;
  int cut = 0;
  async::manual_event go_on;
  http_route upload, early, patient, hasty, stuck, get;
};

using play = std::function<async::task<>(uploads&, http_server&, tcp_client&)>;

http_counters run_with(play script, const http_limits& l = {}, const http_body_limits& of_bodies = {}) {
  program app;
  http_counters n;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<uploads>(of_bodies);
  using one = driver<uploads, http_server, tcp_client>;
  app.add<one>(typename one::script([&](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    co_await script(u, s, c);
    for (int i = 0; i != 5000 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  return n;
}

/// Reads from a connection until a text has come, or the end.
async::task<std::string> read_until(tcp_connection& from, const std::string& last) {
  std::string all;
  char some[4096];
  while (all.find(last) == std::string::npos) {
    const tcp_result got = co_await from.read_some(some);
    if (!got) break;
    all.append(some, got.bytes);
  }
  co_return all;
}

/// Sends texts with pauses in between, and reads to the end.
async::task<std::string> drip(tcp_client& by, uint16_t port, std::vector<std::string> texts, int pause_ms) {
  const tcp_opened to = co_await by.connect(tcp_place(port));
  for (const std::string& text : texts) {
    static_cast<void>(co_await to.connection->write(text));
    co_await async::sleep_for(milliseconds(pause_ms));
  }
  co_return co_await read_until(*to.connection, "no such text");
}

}  // namespace

TEST_CASE("a body comes in pieces, and the next request is behind it") {
  const std::string all = text_of(300000);
  const http_counters n = run_with([&](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    std::string got = co_await exchange(c, s.port(), sized("/files/one", all) + probe);
    CHECK_EQ(answers_in(got), "200 OK|200 OK");
    CHECK_NE(got.find("one has 300000 bytes"), std::string::npos);
    CHECK(u.stored == all);
    CHECK_EQ(u.end, http_body_end::whole);
    CHECK_GE(u.pieces, 10);
    CHECK_LE(u.largest, 8192u + 4096u);
    std::string chunks;
    for (size_t at = 0; at < all.size(); at += 7001) chunks += chunk(all.substr(at, 7001));
    u.stored.clear();
    got = co_await exchange(c, s.port(), head("/files/two", chunked) + chunks + last_chunk + probe);
    CHECK_EQ(answers_in(got), "200 OK|200 OK");
    CHECK(u.stored == all);
    got = co_await exchange(c, s.port(), sized("/files/none", "") + sized("/files/x", "hi") + probe);
    CHECK_EQ(answers_in(got), "200 OK|200 OK|200 OK");
    CHECK_NE(got.find("none has 0 bytes"), std::string::npos);
  });
  CHECK_EQ(n.answered, 7u);
}

TEST_CASE("what a route does not read stays at its client") {
  constexpr size_t block = 1u << 20;
  constexpr size_t blocks = 64;
  run_with([&](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    const tcp_opened to = co_await c.connect(tcp_place(s.port()));
    size_t sent = 0;
    async::scope sending;
    sending.spawn([](tcp_connection& by, size_t& count) -> async::task<> {
      static_cast<void>(
          co_await by.write(head("/patient?first", "Content-Length: " + std::to_string(block * blocks) + "\r\n")));
      const std::string some(block, 'x');
      for (size_t i = 0; i != blocks; ++i) {
        const tcp_result written = co_await by.write(some);
        if (written) ++count;
      }
      static_cast<void>(co_await by.write(probe));
    }(*to.connection, sent));
    co_await until([&] { return u.asked == 1; });
    size_t before = blocks;
    for (int i = 0; i != 100 && sent != before; ++i) {
      before = sent;
      co_await async::sleep_for(milliseconds(200));
    }
    CHECK_EQ(sent, before);
    CHECK_LT(sent, 32u);  // the buffers of the system
    u.go_on.set();
    const std::string got = co_await read_until(*to.connection, "probed");
    co_await sending.join();
    CHECK_EQ(answers_in(got), "200 OK|200 OK");
    CHECK_NE(got.find(std::to_string(block * blocks)), std::string::npos);
    CHECK_EQ(u.end, http_body_end::whole);
  });
}

TEST_CASE("a client that expects 100 gets it by the first read") {
  run_with([](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    const tcp_opened to = co_await c.connect(tcp_place(s.port()));
    static_cast<void>(co_await to.connection->write(head("/patient", "Expect: 100-continue\r\nContent-Length: 2\r\n")));
    co_await until([&] { return u.asked == 1; });
    char first[4];
    const async::result<tcp_result> none = co_await async::within(milliseconds(100), to.connection->read_some(first));
    CHECK((!none || none->bytes == 0));
    u.go_on.set();
    std::string got = co_await read_until(*to.connection, "\r\n\r\n");
    CHECK_EQ(answers_in(got), "100 Continue");
    static_cast<void>(co_await to.connection->write("hi" + probe));
    got = co_await read_until(*to.connection, "probed");
    CHECK_EQ(answers_in(got), "200 OK|200 OK");
    // An answer before any read: whether the body comes is not known.
    got = co_await exchange(c, s.port(), head("/early", "Expect: 100-continue\r\nContent-Length: 2\r\n"));
    CHECK_EQ(answers_in(got), "403 Forbidden");
    CHECK_NE(got.find("Connection: close\r\n"), std::string::npos);
  });
}

TEST_CASE("the rest of a body behind an early answer is dropped up to a bound") {
  http_body_limits few;
  few.unread_bytes = 50000;
  const http_counters n = run_with(
      [](uploads&, http_server& s, tcp_client& c) -> async::task<> {
        const std::vector<std::pair<std::string, const char*>> all = {
            {sized("/early", text_of(50000)), "403 Forbidden|200 OK"},
            {sized("/early", text_of(90000)), "403 Forbidden"},
            {head("/early", chunked) + chunk("some") + last_chunk, "403 Forbidden|200 OK"},
            {head("/early", chunked) + chunk("some") + "zz\r\n", "403 Forbidden"},
            {head("/early", chunked) + chunk(text_of(20000)) + last_chunk, "403 Forbidden"}};
        for (const auto& each : all) {
          CAPTURE(each.first.size());
          const std::string got = co_await exchange(c, s.port(), each.first + probe);
          CHECK_EQ(answers_in(got), each.second);
          CHECK_NE(got.find("Connection: close\r\n"), std::string::npos);
        }
        // The rest comes late, and is no request.
        const std::vector<std::string> late = {head("/early", "Content-Length: 40\r\n"), "GET / HTTP/1.1\r\nX: a\r\n",
                                               text_of(18), probe};
        const std::string got = co_await drip(c, s.port(), late, 20);
        CHECK_EQ(answers_in(got), "403 Forbidden|200 OK");
      },
      {}, few);
  CHECK_EQ(n.answered, 9u);
}

TEST_CASE("a body that is no whole one ends with its reason, and the server answers") {
  http_body_limits small;
  small.bytes = 5000;
  small.progress_time = milliseconds(300);
  small.progress_bytes = 100;
  struct {
    const char* what;
    std::string request;
    http_body_end end;
    const char* answers;
  } const all[] = {
      {"too large by its length", sized("/files/x", text_of(5001)), http_body_end::none, "413 Payload Too Large"},
      {"too large in chunks", head("/files/x", chunked) + chunk(text_of(4000)) + chunk(text_of(1001)),
       http_body_end::too_large, "413 Payload Too Large"},
      {"no chunk", head("/files/x", chunked) + chunk("abc") + "z\r\n", http_body_end::malformed, "400 Bad Request"},
      {"too slow", head("/files/x", "Content-Length: 9\r\n") + "abc", http_body_end::too_slow, "408 Request Timeout"},
  };
  const http_counters n = run_with(
      [&](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
        for (const auto& one : all) {
          CAPTURE(one.what);
          u.end = http_body_end::none;
          const std::string got = co_await exchange(c, s.port(), one.request);
          CHECK_EQ(answers_in(got), one.answers);
          CHECK_EQ(got.find("I have a part"), std::string::npos);
          CHECK_EQ(u.end, one.end);
        }
        const std::string got = co_await exchange(c, s.port(), head("/files/x", "Content-Length: 9\r\n") + "abc", true);
        CHECK_EQ(answers_in(got), "400 Bad Request");
        CHECK_EQ(u.end, http_body_end::left);
        const std::string largest = co_await exchange(c, s.port(), sized("/files/x", text_of(5000)) + probe);
        CHECK_EQ(answers_in(largest), "200 OK|200 OK");
      },
      {}, small);
  CHECK_EQ(n.body_too_large, 2u);
  CHECK_EQ(n.malformed, 2u);
  CHECK_EQ(n.too_slow, 1u);
  CHECK_EQ(n.requests, 2u);
}

TEST_CASE("a client has to make progress while its route waits, and may rest while it does not") {
  http_body_limits brisk;
  brisk.progress_time = milliseconds(800);
  brisk.progress_bytes = 10;
  run_with(
      [](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
        // Each byte comes in time, and ten do not.
        std::vector<std::string> bytes = {head("/files/x", "Content-Length: 12\r\n")};
        for (int i = 0; i != 12; ++i) bytes.emplace_back("x");
        std::string got = co_await drip(c, s.port(), bytes, 100);
        CHECK_EQ(answers_in(got), "408 Request Timeout");
        CHECK_EQ(u.end, http_body_end::too_slow);
        bytes = {head("/files/x", "Content-Length: 40\r\n" + std::string("Connection: close\r\n"))};
        for (int i = 0; i != 4; ++i) bytes.emplace_back("0123456789");
        got = co_await drip(c, s.port(), bytes, 60);
        CHECK_EQ(answers_in(got), "200 OK");
        // The route waits for itself.
        async::scope asking;
        asking.spawn([](tcp_client& by, uint16_t port, std::string& to) -> async::task<> {
          to = co_await exchange(by, port, sized("/patient", "hello") + probe);
        }(c, s.port(), got));
        co_await until([&] { return u.asked == 1; });
        co_await async::sleep_for(milliseconds(1000));
        u.go_on.set();
        co_await asking.join();
        CHECK_EQ(answers_in(got), "200 OK|200 OK");
      },
      {}, brisk);
}

TEST_CASE("the time for an answer begins anew at each read") {
  http_limits l;
  l.answering_time = milliseconds(400);
  const http_counters n = run_with(
      [](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
        std::vector<std::string> parts = {head("/files/x", "Content-Length: 24\r\nConnection: close\r\n")};
        for (int i = 0; i != 3; ++i) parts.emplace_back("01234567");
        std::string got = co_await drip(c, s.port(), parts, 500);
        CHECK_EQ(answers_in(got), "200 OK");
        got = co_await exchange(c, s.port(), sized("/stuck", "hello") + probe);
        CHECK_EQ(answers_in(got), "503 Service Unavailable|200 OK");
        CHECK_EQ(u.cut, 1);
      },
      l);
  CHECK_EQ(n.too_late, 1u);
}

TEST_CASE("a read that times out loses nothing") {
  run_with([](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    const std::vector<std::string> parts = {head("/hasty", "Content-Length: 12\r\nConnection: close\r\n"), "one ",
                                            "two ", "more"};
    const std::string got = co_await drip(c, s.port(), parts, 40);
    CHECK_EQ(answers_in(got), "200 OK");
    CHECK(got.ends_with("one two more"));
    CHECK_GE(u.asked, 3);
  });
}

TEST_CASE("a route that does not read is stopped when its client has gone") {
  const http_counters n = run_with([](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    {
      const tcp_opened to = co_await c.connect(tcp_place(s.port()));
      static_cast<void>(co_await to.connection->write(head("/stuck", "Content-Length: 100\r\n") + "some"));
      co_await until([&] { return u.asked == 1; });
      co_await async::sleep_for(milliseconds(80));  // the server reads ahead by then
    }
    co_await until([&] { return u.cut == 1; });
  });
  CHECK_EQ(n.abandoned, 1u);
}

TEST_CASE("a body that comes while the server drains is read to its end") {
  const http_counters n = run_with([](uploads& u, http_server& s, tcp_client& c) -> async::task<> {
    const tcp_opened to = co_await c.connect(tcp_place(s.port()));
    static_cast<void>(co_await to.connection->write(head("/files/x", "Content-Length: 8\r\n") + "some"));
    co_await until([&] { return u.pieces == 1; });
    const status drained = co_await s.drain(milliseconds(20));
    CHECK_EQ(drained, status::timed_out);
    static_cast<void>(co_await to.connection->write("more"));
    const std::string got = co_await read_until(*to.connection, "no such text");
    CHECK_EQ(answers_in(got), "200 OK");
    CHECK_NE(got.find("Connection: close\r\n"), std::string::npos);
    CHECK_EQ(u.stored, "somemore");
  });
  CHECK_EQ(n.answered, 1u);
}
