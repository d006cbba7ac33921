// SPDX-License-Identifier: MIT
#include "http_rules.hpp"

#include <baton/components/http_body.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "network.hpp"

using namespace network_test;

namespace {

/// Answers with the request that it got.
async::task<http_response> repeat(http_request r) {
  std::string all = r.method + " " + r.target + "\n";
  for (const http_header& h : r.headers) all += "[" + h.name + "]=[" + h.value + "]\n";
  co_return http_response(200, all + "body=" + r.body + "\n");
}
/// The same, of a body that comes in pieces.
async::task<http_response> repeat_pieces(http_request r, http_body& body) {
  while (const http_piece p = co_await body.read()) r.body += p.bytes;
  CHECK_NE(body.end(), http_body_end::none);
  co_return co_await repeat(std::move(r));
}
http_handler says(uint16_t code) {
  return [code](http_request) -> async::task<http_response> { co_return http_response(code); };
}
async::task<http_response> stream(http_request) {
  http_response r;
  r.stream = [](http_stream& to) -> async::task<> {
    for (const char* piece : {"ab", "", "c"}) CHECK_EQ(co_await to.write(piece), status::ok);
  };
  co_return r;
}

struct pages {
  pages(required<http_server> s, context here, bool reads_pieces) {
    const auto add = [&](const char* method, const char* path, http_handler h) {
      all.push_back(s->route(here, method, path, std::move(h)));
    };
    if (reads_pieces) {
      for (const char* method : {"GET", "POST"})
        all.push_back(s->route(here, method, "/echo", streamed_body(repeat_pieces)));
    } else {
      for (const char* method : {"GET", "POST"}) add(method, "/echo", repeat);
    }
    add("GET", "/probe", says(200));
    add("GET", "/204", says(204));
    add("GET", "/304", says(304));
    add("GET", "/stream", stream);
  }
  std::vector<http_route> all;
};

std::string outcome_of(const http_reply& r) {
  if (!r) return r.why;
  return std::to_string(r.response.status) + " " + r.response.body;
}

/// Sends each rule's request to a server whose route reads the body as a whole, or in pieces.
void check_server(bool reads_pieces) {
  program app;
  app.serve_http();
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<pages>(reads_pieces);
  using one = driver<pages, http_server, tcp_client>;
  app.add<one>(one::script([](pages&, http_server& s, tcp_client& c) -> async::task<> {
    for (const http_rules::server_rule& r : http_rules::of_server()) {
      CAPTURE(r.rule);
      CAPTURE(r.request);
      const std::string all = co_await exchange(c, s.port(), r.request + http_rules::probe());
      CAPTURE(all);
      CHECK_EQ(http_rules::codes_in(all), r.answers);
      CHECK(http_rules::has_words_of(r, all));
    }
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

}  // namespace

TEST_CASE("the server keeps each rule") {
  check_server(false);
}
TEST_CASE("each rule is kept where a route reads the body in pieces") {
  check_server(true);
}

TEST_CASE("the client keeps each rule") {
  std::string next;
  program app;
  app.serve_tcp([&next](tcp_connection& c) -> async::task<> {
    char some[1000];
    static_cast<void>(co_await c.read_some(some));
    static_cast<void>(co_await c.write(next));
    c.end_writing();
    static_cast<void>(co_await c.read_some(some));
  });
  app.add_clients();
  using one = driver<tcp_server, http_client>;
  app.add<one>(one::script([&](tcp_server& s, http_client& c) -> async::task<> {
    for (const http_rules::client_rule& r : http_rules::of_client()) {
      CAPTURE(r.rule);
      next = r.answer;
      const http_reply got = co_await c.get(tcp_place(s.port()), "/");
      CHECK_EQ(outcome_of(got), r.outcome);
      CHECK_EQ(got.response.header("X-Name"), nullptr);
    }
  }));
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("the client sends nothing that would be read as something else") {
  program app;
  app.serve_http();
  app.add_clients();
  using one = driver<http_server, http_client>;
  app.add<one>(one::script([&](http_server& s, http_client& c) -> async::task<> {
    std::vector<http_request> all = {http_request("GET", "/x HTTP/1.1\r\nHost: h\r\n\r\nDELETE /evil"),
                                     http_request("GET", "/a b"),
                                     http_request("GET", ""),
                                     http_request("GET", "/\xc3\xa4"),
                                     http_request("GE T", "/"),
                                     http_request("GET\r\n", "/")};
    const std::vector<http_header> bad = {
        {"X", "1\r\nX-Admin: yes"}, {"X", std::string("1\0", 2)},    {"X\r\nY", "1"}, {"X ", "1"},
        {"Content-Length", "1"},    {"transfer-encoding", "chunked"}};
    for (const http_header& h : bad) {
      all.emplace_back("POST", "/", "hello");
      all.back().headers.push_back(h);
    }
    for (http_request& r : all) {
      CAPTURE(r.target);
      const http_reply got = co_await c.send(tcp_place(s.port()), std::move(r));
      CHECK_EQ(got.ended, status::no_right);
      CHECK_NE(got.why, "");
    }
    CHECK_EQ(s.counters().connections, 0u);
  }));
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("the names of a server are those that it is given") {
  http_limits l;
  l.hosts = {"example.org", "api.example.org:8080"};
  l.origins = {"https://shop.example.org"};
  const std::vector<std::pair<std::string, std::string>> hosts = {
      {"example.org", "200"},          {"EXAMPLE.org:80", "200"}, {"api.example.org:8080", "200"},
      {"api.example.org:8081", "421"}, {"localhost", "421"},      {"example.org.evil.test", "421"}};
  const std::vector<std::pair<std::string, std::string>> origins = {{"https://shop.example.org", "200"},
                                                                    {"http://example.org", "200"},
                                                                    {"http://localhost", "403"},
                                                                    {"https://shop.example.org.evil.test", "403"}};
  program app;
  app.serve_http(l);
  app.add_clients();
  app.add<pages>(false);
  using one = driver<pages, http_server, tcp_client>;
  http_counters n;
  app.add<one>(one::script([&](pages&, http_server& s, tcp_client& c) -> async::task<> {
    for (const auto& one_of : hosts) {
      const auto& [host, code] = one_of;
      CAPTURE(one_of.first);
      const std::string all =
          co_await exchange(c, s.port(), "GET /echo HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n");
      CHECK_EQ(http_rules::codes_in(all), code);
    }
    for (const auto& one_of : origins) {
      const auto& [origin, code] = one_of;
      CAPTURE(one_of.first);
      const std::string all = co_await exchange(
          c, s.port(),
          "POST /echo HTTP/1.1\r\nConnection: close\r\nHost: example.org\r\nContent-Length: 0\r\nOrigin: " + origin +
              "\r\n\r\n");
      CHECK_EQ(http_rules::codes_in(all), code);
    }
    for (int i = 0; i != 5000 && s.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(n.misdirected, 3u);
  CHECK_EQ(n.forbidden, 2u);
}

TEST_CASE("the page of the rules is up to date") {
  const char* const bless = std::getenv("BATON_BLESS");
  if (bless && *bless) std::ofstream(BATON_HTTP_RULES) << http_rules::page();
  std::ostringstream kept;
  kept << std::ifstream(BATON_HTTP_RULES).rdbuf();
  CHECK_MESSAGE(kept.str() == http_rules::page(), "write it anew: BATON_BLESS=1, and this program");
}
