// SPDX-License-Identifier: MIT
//
// The end of a program with a server, and sockets that the program was given.
#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/service/program_events.hpp>

#include "network.hpp"
#include "reserved_port.hpp"

using namespace network_test;

namespace {

/// Answers when it is told to, or when its service stops.
struct page {
  page(required<http_server> s, context here)
      : route(s->route(here, "GET", "/held", [this](const http_request&) { return hold(); })),
        heard(here.on<program_ending>([this](const program_ending&) { has_heard.set(); })) {}

  async::task<http_response> hold() {
    is_asked.set();
    const status waited = co_await go_on.wait();
    if (waited != status::ok) was_cut = true;
    co_return http_response(200, "at last");
  }

  static inline bool was_cut = false;
  async::manual_event is_asked, has_heard, go_on;
  http_route route;
  registration heard;
};

const std::string question = "GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n";

async::task<> ask(tcp_client& by, uint16_t port, std::string& answer) {
  answer = co_await exchange(by, port, question);
}

using script = std::function<async::task<>(page&, std::string& answer)>;

/// Ends the program with a request in flight. Returns what its client has got.
std::string end_in_flight(const http_limits& l, script during_the_end) {
  program app;
  page::was_cut = false;
  app.serve_http(l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<page>();
  std::string answer;
  using one = driver<page, http_server, tcp_client>;
  app.add<one>(typename one::script([&](page& p, http_server& s, tcp_client& c) -> async::task<> {
    async::scope asking;
    asking.spawn(ask(c, s.port(), answer));
    static_cast<void>(co_await p.is_asked.wait());
    app.quit();
    static_cast<void>(co_await p.has_heard.wait());
    co_await during_the_end(p, answer);
    co_await asking.join();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  return answer;
}

/// A socket that listens at a free port, and one that is closed with the program that got it.
struct given_socket {
  given_socket() : descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  }
  given_socket(const given_socket&) = delete;
  given_socket& operator=(const given_socket&) = delete;
  ~given_socket() { ::close(descriptor); }
  uint16_t port() const {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    REQUIRE_EQ(::getsockname(descriptor, reinterpret_cast<sockaddr*>(&at), &size), 0);
    return ntohs(at.sin_port);
  }
  const int descriptor;
};

/// Asks a server, stops it, connects while nobody serves, and starts it again.
struct asker {
  asker(required<tcp_client> c, context here, service_id server, uint16_t port) {
    here.spawn(run(here, c, server, port));
  }
  static async::task<> run(context here, required<tcp_client> c, service_id server, uint16_t port) {
    for (int i = 0; i != 2; ++i) {
      const status started = co_await here.started(server);
      CHECK_EQ(started, status::ok);
      const std::string got = co_await exchange(*c, port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      CHECK_EQ(answers_in(got), "421 Misdirected Request");
      here.stop(server);
      const status stopped = co_await here.stopped(server);
      CHECK_EQ(stopped, status::ok);
      const tcp_opened waiting = co_await c->connect(tcp_place(port));
      CHECK(waiting);
      here.start(server);
    }
    here.quit();
  }
};

}  // namespace

TEST_CASE("a program that ends lets its server answer the request in flight, and accepts nobody") {
  const std::string answer = end_in_flight({}, [](page& p, std::string& got) -> async::task<> {
    co_await async::sleep_for(milliseconds(20));
    CHECK_EQ(got, "");
    p.go_on.set();
  });
  CHECK_EQ(answers_in(answer), "200 OK");
  CHECK_NE(answer.find("Connection: close\r\n"), std::string::npos);
  CHECK_FALSE(page::was_cut);
}

TEST_CASE("a request that takes longer than the draining time is cut") {
  http_limits l;
  l.draining_time = milliseconds(30);
  const std::string answer = end_in_flight(l, [](page&, std::string&) -> async::task<> { co_return; });
  CHECK_EQ(answers_in(answer), "");
  CHECK(page::was_cut);
}

TEST_CASE("a server on a worker without a network fails with the remedy") {
  program app;
  const context other = app.add_worker("other");
  other.add<beast_http_server, http_server>();
  CHECK_EQ(app.run(), static_cast<int>(exit_code::start_failed));
  CHECK_NE(app.told.find("its worker 'other' has no network"), std::string::npos);
  CHECK_NE(app.told.find("add_worker(name, network_over<asio::poller>)"), std::string::npos);
}

TEST_CASE("a server listens by a socket that it was given, again after each start") {
  const given_socket listens;
  REQUIRE_EQ(::listen(listens.descriptor, 10), 0);
  program app;
  app.add_clients({}, {seconds(20), seconds(20)});
  const service_id server = app.add<beast_http_server, http_server>(tcp_place().listening(listens.descriptor));
  app.add<asker>(server, listens.port());
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("a descriptor that does not listen is refused") {
  const given_socket bound;
  for (const int descriptor : {bound.descriptor, 1000000}) {
    program app;
    app.serve_http({}, tcp_place().listening(descriptor));
    CHECK_EQ(app.run(), static_cast<int>(exit_code::start_failed));
    CHECK_NE(app.told.find("is no TCP socket that listens"), std::string::npos);
  }
}
