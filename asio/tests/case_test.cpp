// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/async.hpp>
#include <baton/async/when.hpp>

#include "pair.hpp"

using baton::async::selection;
using namespace baton;

namespace {

/// Two ends of a connection over the loopback interface.
struct connection {
  using tcp = net::ip::tcp;

  explicit connection(rig& r) : a(r.io.context()), b(r.io.context()) {
    tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
    a.connect(door.local_endpoint());
    door.accept(b);
    a.set_option(tcp::no_delay(true));
  }

  tcp::socket a;
  tcp::socket b;
};

/// The byte number `n` of the stream.
char byte_of(size_t n) {
  return static_cast<char>(n * 7 + n / 251);
}

/// True if these are the bytes of the stream from number `from` on.
bool are_bytes(const char* bytes, size_t count, size_t from) {
  for (size_t i = 0; i != count; ++i) {
    if (bytes[i] != byte_of(from + i)) return false;
  }
  return true;
}

/// Delays that are now shorter, now longer than what they compete with.
struct delays {
  baton::duration next() {
    state = state * 1103515245u + 12345u;
    return microseconds((state >> 16) % 60);
  }
  uint32_t state = 1;
};

/// Writes the stream in pieces, with pauses in between.
task<> write_all(connection::tcp::socket& to, size_t size) {
  delays pauses;
  for (size_t sent = 0; sent != size;) {
    char piece[13];
    const size_t count = std::min(sizeof piece, size - sent);
    for (size_t i = 0; i != count; ++i) piece[i] = byte_of(sent + i);
    auto [error, bytes] = co_await net::async_write(to, net::buffer(piece, count), use_baton);
    CHECK(!error);
    sent += bytes;
    co_await async::sleep_for(pauses.next());
  }
  to.shutdown(connection::tcp::socket::shutdown_send);
}

}  // namespace

TEST_CASE("no byte is lost over thousands of reads that have lost to a delay") {
  rig r;
  connection c(r);
  size_t received = 0, lost = 0, lost_with_bytes = 0;
  auto reads = [](connection::tcp::socket& from, size_t& all, size_t& losses, size_t& with_bytes) -> task<> {
    delays limits;
    for (bool is_open = true; is_open;) {
      char buffer[29];
      auto bytes = async::as_case(from.async_read_some(net::buffer(buffer), use_baton));
      const selection first = co_await async::select(bytes, async::sleep_for(limits.next()));
      REQUIRE(bytes.has_result());
      const auto& [error, count] = bytes.result();
      REQUIRE(are_bytes(buffer, count, all));
      all += count;
      if (first.index == 1) {
        ++losses;
        with_bytes += count != 0;
      }
      is_open = error != net::error::eof;
      if (first.index == 0 && is_open) CHECK(!error);
      if (first.index == 1 && count == 0 && is_open) CHECK_EQ(error, status::cancelled);
    }
  };
  r.loop.spawn(write_all(c.a, 60000));
  r.loop.spawn(reads(c.b, received, lost, lost_with_bytes));
  r.loop.run();
  CHECK_EQ(received, 60000u);
  CHECK(lost > 2000u);
}

TEST_CASE("no byte is lost or written twice over writes that have lost to a delay") {
  rig r;
  ends c(r);  // whose writer waits as soon as its reader is behind, however much the machine buffers
  c.a.set_option(net::socket_base::send_buffer_size(4096));
  static constexpr size_t size = size_t{1} << 21;
  size_t received = 0, lost = 0;
  auto writes = [](ends::socket& to, size_t& losses) -> task<> {
    delays limits;
    std::string piece(1 << 14, '\0');
    for (size_t sent = 0; sent != size;) {
      const size_t count = std::min(piece.size(), size - sent);
      for (size_t i = 0; i != count; ++i) piece[i] = byte_of(sent + i);
      auto written = async::as_case(net::async_write(to, net::buffer(piece.data(), count), use_baton));
      const selection first = co_await async::select(async::sleep_for(limits.next()), written);
      REQUIRE((first.index == 0 || written.has_result()));
      if (!written.has_result()) continue;  // the delay was over before the write began
      const auto& [error, bytes] = written.result();
      sent += bytes;
      losses += bytes != count;
      if (bytes == count) CHECK(!error);
    }
    to.shutdown(ends::socket::shutdown_send);
  };
  auto reads = [](ends::socket& from, size_t& all) -> task<> {
    std::string buffer(1 << 14, '\0');
    for (;;) {
      auto [error, count] = co_await from.async_read_some(net::buffer(buffer), use_baton);
      REQUIRE(are_bytes(buffer.data(), count, all));
      all += count;
      if (error == net::error::eof) break;
      CHECK(!error);
      co_await async::sleep_for(microseconds(20));
    }
  };
  r.loop.spawn(writes(c.a, lost));
  r.loop.spawn(reads(c.b, received));
  r.loop.run();
  CHECK_EQ(received, size);
  CHECK(lost > 100u);
}

TEST_CASE("operations of Asio are parts of when_any, and end when a token's source stops") {
  rig r;
  connection c(r);
  auto body = [](connection& pair) -> task<> {
    char first_buffer[4], second_buffer[4];
    async::scope s;
    s.spawn(write_all(pair.a, 3));
    auto first = co_await async::when_any(pair.b.async_read_some(net::buffer(first_buffer), use_baton),
                                          pair.a.async_read_some(net::buffer(second_buffer), use_baton),
                                          async::sleep_for(seconds(20)));
    CHECK_EQ(first.index(), 0u);
    CHECK_EQ(std::get<0>(first).result, 3u);
    co_await s.join();

    async::stop_source source;
    auto stops = [](async::stop_source& all) -> task<> {
      co_await async::sleep_for(milliseconds(1));
      all.stop();
    };
    s.spawn(stops(source));
    const auto stopped =
        co_await async::until_stop(source.token(), pair.a.async_read_some(net::buffer(second_buffer), use_baton));
    CHECK((*stopped).error == status::cancelled);
    co_await s.join();
  };
  r.loop.spawn(body(c));
  r.loop.run();
  CHECK_EQ(r.loop.all().running(), 0u);
}

TEST_CASE("an accepted connection that has lost is kept in its case") {
  rig r;
  using net::ip::tcp;
  tcp::acceptor door(r.io.context(), {net::ip::address_v4::loopback(), 0});
  size_t accepted = 0, late = 0;
  static constexpr size_t clients = 300;
  auto accepts = [](tcp::acceptor& at, size_t& all, size_t& losses) -> task<> {
    delays limits;
    while (all != clients) {
      auto peer = async::as_case(at.async_accept(use_baton));
      const selection first = co_await async::select(async::sleep_for(limits.next()), peer);
      if (!peer.has_result()) continue;
      auto& [error, socket] = peer.result();
      if (!error) {
        CHECK(socket.is_open());
        ++all;
      }
      losses += first.index == 0;
    }
  };
  auto connects = [](tcp::endpoint to) -> task<> {
    delays pauses;
    for (size_t i = 0; i != clients; ++i) {
      tcp::socket s(baton::asio::context());
      auto [error] = co_await s.async_connect(to, use_baton);
      CHECK(!error);
      co_await async::sleep_for(pauses.next());
    }
  };
  r.loop.spawn(accepts(door, accepted, late));
  r.loop.spawn(connects(door.local_endpoint()));
  r.loop.run();
  CHECK_EQ(accepted, clients);
  CHECK(late > 0u);
}
