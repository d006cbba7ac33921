// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace network_test;

namespace {

/// Sends back the bytes that it receives, and notes how its last read ended.
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
      static_cast<void>(co_await c.write(std::string_view(some, got.bytes)));
    }
  }
  std::vector<status>* ends;
};

/// A client at an address of its own, all of which lead to this machine.
class caller {
 public:
  caller(const char* from, uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in own = place_of(from, 0);
    const sockaddr_in to = place_of("127.0.0.1", port);
    CHECK_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    CHECK_EQ(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  caller(const caller&) = delete;
  ~caller() { ::close(descriptor_); }

  /// True if the server has closed the connection.
  bool is_closed() const {
    char one = 0;
    return ::recv(descriptor_, &one, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
  }

 private:
  static sockaddr_in place_of(const char* address, uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    ::inet_pton(AF_INET, address, &at.sin_addr);
    return at;
  }
  int descriptor_;
};

/// Waits until something holds; a test that waits in vain fails.
template <typename Condition>
async::task<> until(Condition holds) {
  for (int i = 0; i != 5000 && !holds(); ++i) co_await async::sleep_for(milliseconds(1));
  CHECK(holds());
}

using two = driver<tcp_server, tcp_client>;

/// Runs a script with a server, and returns what the server counted.
tcp_counters run_with(const tcp_limits& l, const tcp_handler& serve, two::script play) {
  program app;
  tcp_counters n;
  app.serve_tcp(serve, l);
  app.add_clients({}, {seconds(20), seconds(20)});
  app.add<two>(two::script([&](tcp_server& s, tcp_client& c) -> async::task<> {
    co_await play(s, c);
    co_await until([&] { return s.counters().open == 0; });
    n = s.counters();
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
  CHECK_EQ(n.connections, n.ended + n.released + n.failed);
  return n;
}

/// Opens a connection, and waits until the server has accepted it or turned it away.
async::task<tcp_opened> open(tcp_server& s, tcp_client& c) {
  const auto seen = [&s] { return s.counters().connections + s.counters().turned_away; };
  const uint64_t before = seen();
  tcp_opened one = co_await c.connect(tcp_place(s.port()));
  co_await until([&] { return seen() != before; });
  co_await async::sleep_for(milliseconds(2));  // its handler waits
  co_return one;
}

async::task<bool> is_echoed(tcp_opened& one) {
  const tcp_result sent = co_await one.connection->write("good day");
  char back[8];
  const tcp_result got = co_await one.connection->read(back);
  co_return sent&& got&& std::string_view(back, 8) == "good day";
}

async::task<status> end_of(tcp_opened& one) {
  char c = 0;
  const tcp_result got = co_await one.connection->read_some({&c, 1});
  co_return got.ended;
}

}  // namespace

TEST_CASE("the connection that has waited longest gives its place to a new one") {
  std::vector<status> ends;
  tcp_limits l;
  l.connections = 3;
  const tcp_counters n = run_with(l, echo{&ends}, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 3; ++i) all.push_back(co_await open(s, c));
    bool is_there = co_await is_echoed(all[0]);  // it waits anew
    CHECK(is_there);
    all.push_back(co_await open(s, c));
    const status gone = co_await end_of(all[1]);
    CHECK_EQ(gone, status::closed);
    co_await until([&] { return s.counters().released == 1; });
    CHECK_EQ(ends, std::vector<status>(1, status::closed));
    CHECK_EQ(s.counters().open, 3u);
    all.erase(all.begin() + 1);
    for (tcp_opened& one : all) {
      is_there = co_await is_echoed(one);
      CHECK(is_there);
    }
  });
  CHECK_EQ(n.released, 1u);
  CHECK_EQ(n.ended, 3u);
  CHECK_EQ(n.turned_away, 0u);
}

TEST_CASE("silent sockets as many as there are places keep nobody out") {
  std::vector<status> ends;
  tcp_limits l;
  l.connections = 8;
  l.connections_per_peer = 8;
  const tcp_counters n = run_with(l, echo{&ends}, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> silent;
    for (int i = 0; i != 8; ++i) silent.push_back(co_await open(s, c));
    for (int i = 0; i != 20; ++i) {
      tcp_opened one = co_await open(s, c);
      const bool is_there = co_await is_echoed(one);
      CHECK(is_there);
    }
  });
  CHECK_EQ(n.turned_away, 0u);
}

TEST_CASE("one of the address with the most connections gives way") {
  std::vector<status> ends;
  tcp_limits l;
  l.connections = 4;
  run_with(l, echo{&ends}, [&](tcp_server& s, tcp_client&) -> async::task<> {
    const auto accepted = [&s](uint64_t count) {
      return until([&s, count] { return s.counters().connections == count; });
    };
    const caller first("127.0.0.2", s.port());
    co_await accepted(1);
    const caller second("127.0.0.3", s.port());
    co_await accepted(2);
    const caller third("127.0.0.3", s.port());
    const caller fourth("127.0.0.3", s.port());
    co_await accepted(4);
    co_await async::sleep_for(milliseconds(2));
    const caller fifth("127.0.0.4", s.port());
    co_await accepted(5);
    co_await until([&] { return second.is_closed(); });
    CHECK_FALSE(first.is_closed());
    CHECK_FALSE(third.is_closed());
    CHECK_FALSE(fourth.is_closed());
    CHECK_FALSE(fifth.is_closed());
  });
}

TEST_CASE("an address that has its share gives way to itself") {
  std::vector<status> ends;
  tcp_limits l;
  l.connections = 10;
  l.connections_per_peer = 2;
  const tcp_counters n = run_with(l, echo{&ends}, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    const caller other("127.0.0.2", s.port());
    std::vector<tcp_opened> all;
    for (int i = 0; i != 3; ++i) all.push_back(co_await open(s, c));
    const status gone = co_await end_of(all[0]);
    CHECK_EQ(gone, status::closed);
    CHECK_FALSE(other.is_closed());
    const bool is_there = co_await is_echoed(all[1]);
    CHECK(is_there);
  });
  CHECK_EQ(n.released, 1u);
}

TEST_CASE("a connection that is served keeps its place") {
  async::manual_event go_on;
  int waiting = 0;
  const auto serve = [&](tcp_connection&) -> async::task<> {
    ++waiting;
    static_cast<void>(co_await go_on.wait());
  };
  tcp_limits l;
  l.connections = 2;
  const tcp_counters n = run_with(l, serve, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 2; ++i) all.push_back(co_await open(s, c));
    tcp_opened further = co_await open(s, c);
    const status refused = co_await end_of(further);
    CHECK_EQ(refused, status::closed);
    CHECK_EQ(waiting, 2);
    go_on.set();
  });
  CHECK_EQ(n.turned_away, 1u);
  CHECK_EQ(n.released, 0u);
}

TEST_CASE("a connection that writes while it reads keeps its place") {
  async::manual_event has_written;
  const auto serve = [&](tcp_connection& c) -> async::task<> {
    async::scope reading;
    reading.spawn([](tcp_connection& from) -> async::task<> {
      char some[10];
      static_cast<void>(co_await from.read_some(some));
    }(c));
    std::string all;
    all.resize(50000000, 'x');
    static_cast<void>(co_await c.write(all));
    has_written.set();
    co_await reading.join();
  };
  tcp_limits l;
  l.connections = 1;
  const tcp_counters n = run_with(l, serve, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    all.push_back(co_await open(s, c));
    const tcp_opened further = co_await open(s, c);
    CHECK_EQ(s.counters().turned_away, 1u);
    std::string rest;
    rest.resize(50000000);
    const tcp_result got = co_await all[0].connection->read(rest);
    CHECK(got);
    static_cast<void>(co_await has_written.wait());
    const tcp_opened last = co_await open(s, c);  // nothing is written any more
    CHECK_EQ(s.counters().released, 1u);
    CHECK_EQ(s.counters().connections, 2u);
  });
  CHECK_EQ(n.turned_away, 1u);
}

TEST_CASE("a connection whose read has got a part of its bytes goes last") {
  std::vector<std::string> got;
  const auto serve = [&](tcp_connection& c) -> async::task<> {
    char all[4];
    const tcp_result read = co_await c.read(all);
    got.emplace_back(all, read.bytes);
  };
  tcp_limits l;
  l.connections = 2;
  const tcp_counters n = run_with(l, serve, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    tcp_opened begun = co_await open(s, c);
    static_cast<void>(co_await begun.connection->write("ab"));
    co_await async::sleep_for(milliseconds(20));
    tcp_opened silent = co_await open(s, c);
    const tcp_opened further = co_await open(s, c);
    const status gone = co_await end_of(silent);
    CHECK_EQ(gone, status::closed);
    static_cast<void>(co_await begun.connection->write("cd"));
    co_await until([&] { return got.size() == 2; });
    CHECK_EQ(got.empty() ? std::string() : got.back(), "abcd");
  });
  CHECK_EQ(n.released, 1u);
}

TEST_CASE("connections that have given way and do not end are as many as there are places") {
  async::manual_event go_on;
  const auto serve = [&](tcp_connection& c) -> async::task<> {
    char some[4];
    static_cast<void>(co_await c.read_some(some));
    static_cast<void>(co_await go_on.wait());
  };
  tcp_limits l;
  l.connections = 2;
  const tcp_counters n = run_with(l, serve, [&](tcp_server& s, tcp_client& c) -> async::task<> {
    std::vector<tcp_opened> all;
    for (int i = 0; i != 6; ++i) all.push_back(co_await open(s, c));
    CHECK_EQ(s.counters().open, 4u);
    CHECK_EQ(s.counters().turned_away, 2u);
    go_on.set();
    all.clear();
  });
  CHECK_EQ(n.released, 2u);
  CHECK_EQ(n.connections, 4u);
}
