// SPDX-License-Identifier: MIT
#include <random>

#include "network.hpp"

using namespace network_test;

namespace {

async::task<http_response> repeat(http_request r) {
  co_return http_response(200, r.target + r.body);
}

struct pages {
  pages(required<http_server> s, context here)
      : page(s->route(here, "GET", "/", repeat)), post(s->route(here, "POST", "/post", repeat)) {}
  http_route page, post;
};

/// Requests with mistakes, which depend on the seed alone.
class mutator {
 public:
  explicit mutator(uint32_t seed) : random_(seed) {}

  std::string next() {
    static const std::vector<std::string> valid = {
        "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
        "GET /?q=1 HTTP/1.0\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
        "POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\nhello world",
        "POST /post HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "POST /post HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
        "POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1500\r\n\r\n" + std::string(1500, 'y'),
        "PUT /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    };
    std::string all = valid[below(valid.size())];
    if (below(4) == 0) all += valid[below(valid.size())];
    for (size_t n = below(4); n != 0; --n) change(all);
    return all;
  }
  size_t below(size_t n) { return random_() % n; }

 private:
  void change(std::string& t) {
    static const std::vector<std::string> pieces = {"\r\n",
                                                    "\n",
                                                    ":",
                                                    " ",
                                                    "HTTP/1.1",
                                                    "Content-Length: 99999999999\r\n",
                                                    "Transfer-Encoding: chunked\r\n",
                                                    "Host: localhost\r\n",
                                                    "-1",
                                                    "ffffffff\r\n",
                                                    std::string(1, '\0'),
                                                    "\xff\xfe",
                                                    std::string(3000, 'a'),
                                                    "%00"};
    const size_t at = below(t.size() + 1);
    switch (below(5)) {
      case 0:
        if (at != t.size()) t[at] = static_cast<char>(below(256));
        break;
      case 1:
        t.erase(at, below(8));
        break;
      case 2:
        t.insert(at, pieces[below(pieces.size())]);
        break;
      case 3:
        t.insert(at, t.substr(below(t.size() + 1), below(40)));
        break;
      default:
        t.resize(at);
    }
    if (t.empty()) t = "\r\n";
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("requests with mistakes are answered or end their connection, and all are counted") {
  http_limits l;
  l.header_bytes = 1000;
  l.body_bytes = 1000;
  l.reading_time = milliseconds(200);
  l.idle_time = milliseconds(200);
  uint64_t sent = 0;
  http_counters n;
  program app;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<pages>();
  using one = driver<pages, http_server, tcp_client>;
  const auto play = [](tcp_client& c, uint16_t port, uint32_t seed, uint64_t& count) -> async::task<> {
    mutator m(seed);
    for (int i = 0; i != 60; ++i) {
      const std::string text = m.next();
      const bool ends_writing = m.below(12) != 0;
      CAPTURE(text);
      const std::string all = co_await exchange(c, port, text, ends_writing);
      CHECK_EQ(all.find("timed_out"), std::string::npos);
      CHECK((all.empty() || all.starts_with("HTTP/1.")));
      ++count;
    }
  };
  app.add<one>(one::script([&](pages&, http_server& s, tcp_client& c) -> async::task<> {
    async::scope players;
    for (uint32_t seed = 1; seed != 17; ++seed) players.spawn(play(c, s.port(), seed, sent));
    co_await players.join();
    const std::string good =
        co_await exchange(c, s.port(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    CHECK_EQ(answers_in(good), "200 OK");
    for (int i = 0; i != 500 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(10));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  check_sums(n);
  CHECK_EQ(sent, 16u * 60u);
  CHECK_EQ(n.connections, sent + 1);
  // Each kind of end has occurred.
  CHECK_GT(n.answered, 100u);
  CHECK_GT(n.malformed, 100u);
  CHECK_GT(n.header_too_large, 4u);
  CHECK_GT(n.body_too_large, 2u);
  CHECK_GT(n.too_slow, 2u);
  CHECK_GT(n.not_allowed, 2u);
  CHECK_EQ(n.failed, 0u);
}
