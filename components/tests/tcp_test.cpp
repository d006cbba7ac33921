// SPDX-License-Identifier: MIT
#include "network.hpp"

using namespace network_test;

namespace {

/// Sends back the bytes that it receives until there are none, and counts the ends by their kind.
struct echo {
  async::task<> operator()(tcp_connection& c) const { return serve(c, *ends); }
  static async::task<> serve(tcp_connection& c, std::vector<status>& to) {
    char some[100];
    for (;;) {
      const tcp_result got = co_await c.read_some(some);
      if (!got) {
        to.push_back(got.ended);
        co_return;
      }
      if (std::string_view(some, got.bytes) == "fail") throw std::runtime_error("told to");
      static_cast<void>(co_await c.write(std::string_view(some, got.bytes)));
    }
  }
  std::vector<status>* ends;
};

using two = driver<tcp_server, tcp_client>;

async::task<> wait_until_open(tcp_server& s, uint64_t n) {
  for (int i = 0; i != 5000 && s.counters().open != n; ++i) co_await async::sleep_for(milliseconds(1));
  CHECK_EQ(s.counters().open, n);
}

}  // namespace

TEST_CASE("each connection is served by a coroutine, until the client hangs up") {
  std::vector<status> ends;
  program app;
  app.serve_tcp(echo{&ends});
  app.add_clients();
  tcp_counters n;
  app.add<two>(two::script([&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 10; ++i) all.push_back(co_await c.connect(tcp_place(s.port())));
    for (size_t round = 0; round != 3; ++round) {
      for (size_t i = 0; i != all.size(); ++i) {
        const std::string text = "text " + std::to_string(i) + std::string(round * 1000, '.');
        const tcp_result sent = co_await all[i].connection->write(text);
        CHECK_EQ(sent.bytes, text.size());
        std::string back(text.size(), ' ');
        const tcp_result got = co_await all[i].connection->read(back);
        CHECK_EQ(got.bytes, text.size());
        CHECK_EQ(back, text);
      }
    }
    CHECK_EQ(all[0].connection->peer(), "127.0.0.1:" + std::to_string(s.port()));
    CHECK_EQ(s.counters().open, 10u);
    static_cast<void>(co_await all[0].connection->write("fail"));
    char c1 = 0;
    const tcp_result end = co_await all[0].connection->read_some({&c1, 1});
    CHECK_EQ(end.ended, status::closed);
    for (size_t i = 1; i != 5; ++i) all[i].connection->end_writing();
    for (size_t i = 5; i != 10; ++i) all[i].connection.reset();
    co_await wait_until_open(s, 0);
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(ends, std::vector<status>(9, status::closed));
  CHECK_EQ(n.connections, 10u);
  CHECK_EQ(n.ended, 9u);
  CHECK_EQ(n.failed, 1u);
}

TEST_CASE("reads and writes have deadlines") {
  std::vector<status> ends;
  program app;
  tcp_limits l;
  l.times.reading = milliseconds(200);
  l.times.writing = milliseconds(200);
  app.serve_tcp(
      [&](tcp_connection& c) -> async::task<> {
        char some[3];
        const tcp_result got = co_await c.read(some);
        ends.push_back(got.ended);
        CHECK_EQ(got.bytes, 2u);
        std::string all;
        all.resize(50000000, 'x');
        const tcp_result put = co_await c.write(all);
        ends.push_back(put.ended);
        CHECK_LT(put.bytes, all.size());
      },
      l);
  app.add_clients();
  app.add<two>(two::script([&](tcp_server& s, tcp_client& c) -> async::task<> {
    tcp_opened silent = co_await c.connect(tcp_place(s.port()));
    static_cast<void>(co_await silent.connection->write("ab"));
    for (int i = 0; i != 5000 && s.counters().ended == 0; ++i) co_await async::sleep_for(milliseconds(10));
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(ends, std::vector<status>(2, status::timed_out));
}

TEST_CASE("there are no more connections than the limit says, and the stop ends those that are there") {
  std::vector<status> ends;
  program app;
  std::vector<tcp_opened> all;
  tcp_limits l;
  l.connections = 2;
  l.idle_gives_way = false;
  app.serve_tcp(echo{&ends}, l);
  app.add_clients();
  app.add<two>(two::script([&](tcp_server& s, tcp_client& c) -> async::task<> {
    for (uint64_t i = 0; i != 2; ++i) {
      all.push_back(co_await c.connect(tcp_place(s.port())));
      co_await wait_until_open(s, i + 1);
    }
    const std::string further = co_await exchange(c, s.port(), "hello");
    CHECK_EQ(further, "");
    CHECK_EQ(s.counters().turned_away, 1u);
    all.pop_back();
    co_await wait_until_open(s, 1);
    all.push_back(co_await c.connect(tcp_place(s.port())));
    co_await wait_until_open(s, 2);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(ends, std::vector<status>({status::closed, status::cancelled, status::cancelled}));
}

TEST_CASE("nobody listens") {
  program app;
  app.add_clients();
  using one = driver<tcp_client>;
  app.add<one>(one::script([](tcp_client& c) -> async::task<> {
    const tcp_opened none = co_await c.connect(tcp_place(1));
    CHECK_EQ(none.ended, status::closed);
    CHECK_EQ(none.why, "Connection refused");
    CHECK(!none);
  }));
  CHECK_EQ(app.run(), 0);
}
