// SPDX-License-Identifier: MIT
//
// Serial lines, tested by a pseudo-terminal, and signals.
#include <boost/asio/read_until.hpp>
#include <boost/asio/serial_port.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fcntl.h>
#include <stdlib.h>

#include "pair.hpp"

namespace {

/// A serial line whose other end is `device`.
struct line {
  line() : device(::posix_openpt(O_RDWR | O_NOCTTY)) {
    ::grantpt(device);
    ::unlockpt(device);
  }
  line(const line&) = delete;
  ~line() { ::close(device); }
  const char* name() const { return ::ptsname(device); }
  void say(const std::string& text) const {
    CHECK_EQ(::write(device, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int device;
};

}  // namespace

TEST_CASE("a serial port is read and written, and its read has a deadline") {
  rig r;
  line cable;
  std::string got;
  r.loop.spawn([](line& cable, std::string& to) -> task<> {
    net::serial_port port(baton::asio::context());
    port.open(cable.name());
    port.set_option(net::serial_port_base::baud_rate(115200));
    char text[32];
    auto [late, none] =
        co_await baton::async::within(baton::milliseconds(2), port.async_read_some(net::buffer(text), use_baton));
    CHECK_EQ(late, status::timed_out);
    CHECK_EQ(none, 0u);

    cable.say("451\n452\n");
    for (int i = 0; i < 2; ++i) {
      std::string lines;
      (co_await net::async_read_until(port, net::dynamic_buffer(lines, 4), '\n', use_baton)).value();
      to += lines;
    }
    (co_await net::async_write(port, net::buffer("ok", 2), use_baton)).value();
    CHECK_EQ(::read(cable.device, text, sizeof text), 2);
    CHECK_EQ(std::string(text, 2), "ok");
  }(cable, got));
  r.loop.run();
  CHECK_EQ(got, "451\n452\n");
}

TEST_CASE("a serial line whose device goes away ends the read with an error") {
  rig r;
  bool has_ended = false;
  r.loop.spawn([](bool& ended) -> task<> {
    net::serial_port port(baton::asio::context());
    char c = 0;
    {
      line cable;
      port.open(cable.name());
    }
    auto [error, bytes] = co_await port.async_read_some(net::buffer(&c, 1), use_baton);
    CHECK(error);
    CHECK(error != status::cancelled);
    CHECK_EQ(bytes, 0u);
    ended = true;
  }(has_ended));
  r.loop.run();
  CHECK(has_ended);
}

TEST_CASE("a signal is awaited, each time, and a wait for one can be stopped") {
  rig r;
  int seen = 0;
  r.loop.spawn([](rig& r, int& n) -> task<> {
    net::signal_set signals(baton::asio::context(), SIGUSR1, SIGUSR2);
    for (; n < 10; ++n) {
      raise(n % 2 ? SIGUSR1 : SIGUSR2);
      auto [error, number] = co_await signals.async_wait(use_baton);
      CHECK(!error);
      CHECK_EQ(number, n % 2 ? SIGUSR1 : SIGUSR2);
    }
    r.loop.stop();
    auto [error, number] = co_await signals.async_wait(use_baton);
    CHECK_EQ(error, status::cancelled);
  }(r, seen));
  r.loop.run();
  CHECK_EQ(seen, 10);
}
