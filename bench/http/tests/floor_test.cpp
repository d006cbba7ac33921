// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "server.hpp"

#include <doctest/doctest.h>
#include <thread>

#include "http_rules.hpp"

namespace {

namespace net = http_floor::net;
using http_floor::reply;
using http_floor::request;
using http_floor::session;
using net::ip::tcp;
using std::chrono::milliseconds;

/// The floor on a thread of its own, with the pages of the rules.
class running_floor {
 public:
  explicit running_floor(http_floor::limits l = {})
      : context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE), server_(context_, 0, std::move(l)), port_(server_.port()) {
    for (const char* method : {"GET", "POST"}) server_.route(method, "/echo", repeat);
    server_.route("GET", "/probe", says(200, ""));
    server_.route("GET", "/204", says(204, ""));
    server_.route("GET", "/304", says(304, ""));
    server_.route("GET", "/large", says(200, std::string(32u << 20, 'a')));
    server_.route("GET", "/never", [this](request&, const reply& to) { kept_.push_back(to); });
    server_.route("GET", "/stream",
                  [](request&, const reply& to) { to->answer(session::made(200, ""), {"ab", "", "c"}); });
    thread_ = std::thread([this] {
      while (!ends_) context_.run_for(milliseconds(10));
      kept_.clear();
    });
  }
  running_floor(const running_floor&) = delete;
  running_floor& operator=(const running_floor&) = delete;
  ~running_floor() {
    ends_ = true;
    thread_.join();
  }
  uint16_t port() const noexcept { return port_; }

 private:
  static http_floor::handler says(unsigned status, const std::string& body) {
    return [status, body](request&, const reply& to) { to->answer(session::made(status, body)); };
  }
  static void repeat(request& r, const reply& to) {
    std::string all = std::string(r.method_string()) + " " + std::string(r.target()) + "\n";
    for (const auto& f : r) all += "[" + std::string(f.name_string()) + "]=[" + std::string(f.value()) + "]\n";
    to->answer(session::made(200, all + "body=" + r.body() + "\n"));
  }

  net::io_context context_;
  http_floor::server server_;
  const uint16_t port_;
  std::vector<reply> kept_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

/// A client that waits.
struct client {
  explicit client(uint16_t port) : socket(context) {
    socket.connect(tcp::endpoint(net::ip::address_v4::loopback(), port));
    const timeval most{20, 0};
    ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  }
  void send(const std::string& text) {
    boost::system::error_code ignored;  // a server that refuses may not read all
    net::write(socket, net::buffer(text), ignored);
  }
  /// The text that comes up to the end.
  std::string rest() {
    std::string all;
    boost::system::error_code e;
    net::read(socket, net::dynamic_buffer(all), e);
    return e == net::error::eof || e == net::error::connection_reset ? all : all + "timed_out";
  }

  net::io_context context;
  tcp::socket socket;
};

std::string exchange(uint16_t port, const std::string& text) {
  client c(port);
  c.send(text);
  return c.rest();
}
std::string get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}
std::string post(const std::string& headers, const std::string& body) {
  return "POST /echo HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n\r\n" + body;
}

}  // namespace

TEST_CASE("the floor keeps each rule of the server") {
  const running_floor floor;
  for (const http_rules::server_rule& r : http_rules::of_server()) {
    CAPTURE(r.rule);
    CAPTURE(r.request);
    const std::string all = exchange(floor.port(), r.request + http_rules::probe());
    CAPTURE(all);
    CHECK_EQ(http_rules::codes_in(all), r.answers);
    CHECK(http_rules::has_words_of(r, all));
  }
}

TEST_CASE("what is too large is refused") {
  http_floor::limits l;
  l.header_bytes = 1000;
  l.body_bytes = 10;
  const running_floor floor(l);
  const auto codes = [&](const std::string& text) { return http_rules::codes_in(exchange(floor.port(), text)); };
  CHECK_EQ(codes(get("/echo?" + std::string(1000, 'a'))), "431");
  CHECK_EQ(codes(get("/echo?" + std::string(20000, 'a'))), "431");
  CHECK_EQ(codes(post("Content-Length: 11", std::string(11, 'a'))), "413");
  CHECK_EQ(codes(post("Transfer-Encoding: chunked", "b\r\naaaaaaaaaaa\r\n0\r\n\r\n")), "413");
  CHECK_EQ(codes(post("Connection: close\r\nContent-Length: 10", std::string(10, 'a'))), "200");
}

TEST_CASE("who is slow is refused, and a route that does not end is answered for") {
  http_floor::limits l;
  l.idle_time = l.reading_time = l.answering_time = l.writing_time = milliseconds(200);
  const running_floor floor(l);
  CHECK_EQ(exchange(floor.port(), ""), "");
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), "GET /")), "408");
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), post("Content-Length: 5", "abc"))), "408");
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), get("/never"))), "503");
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), get("/echo"))), "200");
  client c(floor.port());
  c.send(get("/large"));
  std::this_thread::sleep_for(milliseconds(1000));
  CHECK_LT(c.rest().size(), 32u << 20);
}

TEST_CASE("a connection that waits gives its place up, and one that is answered keeps it") {
  http_floor::limits l;
  l.connections = 2;
  const running_floor floor(l);
  client first(floor.port());
  client second(floor.port());
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), http_rules::probe())), "200");
  CHECK_EQ(first.rest(), "");
  second.send(get("/never"));
  client third(floor.port());
  third.send(get("/never"));
  std::this_thread::sleep_for(milliseconds(200));
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), "")), "503");
}

TEST_CASE("a peer has its share of the places") {
  http_floor::limits l;
  l.connections_per_peer = 1;
  const running_floor floor(l);
  client first(floor.port());
  CHECK_EQ(http_rules::codes_in(exchange(floor.port(), http_rules::probe())), "200");
  CHECK_EQ(first.rest(), "");
}
