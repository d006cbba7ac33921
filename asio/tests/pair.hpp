// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>
#include <stdint.h>
#include <string>

namespace net = boost::asio;

using baton::status;
using baton::asio::use_baton;
using baton::async::task;

/// The exception that the program's `baton_require_failed` throws. It is the harness's type; the
/// header of the harness is for virtual time.
namespace baton {
namespace test {
struct requirement_failed {
  uint16_t id;
};
}  // namespace test
}  // namespace baton

/// A loop over a poller of Asio.
struct rig {
  baton::asio::poller io;
  baton::async::loop loop{io};
};

/// Two ends of a connection.
struct ends {
  using socket = net::local::stream_protocol::socket;

  explicit ends(rig& r) : a(r.io.context()), b(r.io.context()) { net::local::connect_pair(a, b); }
  socket a;
  socket b;
};

/// Fails unless the statement breaks BATON_REQUIRE `expected`.
#define CHECK_TRAPS(expected, ...)                                          \
  do {                                                                      \
    uint16_t found = 0;                                                     \
    try {                                                                   \
      __VA_ARGS__;                                                          \
    } catch (const ::baton::test::requirement_failed& broken) {             \
      found = broken.id;                                                    \
    }                                                                       \
    CHECK_EQ(found, static_cast<uint16_t>(::baton::requirement::expected)); \
  } while (0)
