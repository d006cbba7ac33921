// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>

/// What all connections do with their sockets.
namespace baton::components::detail {

inline tick left_until(tick due) noexcept {
  const tick now = port::now();
  return due > now ? due - now : 0;
}

/// The other side, as "127.0.0.1:80". Empty: there is none any more.
inline std::string peer_of(const boost::asio::ip::tcp::socket& s) {
  boost::system::error_code error;
  const auto at = s.remote_endpoint(error);
  if (error) return {};
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

/// Ends a connection so that the other side gets what was sent, though it may still be sending itself: what comes is dropped, a megabyte at most.
inline async::task<> hang_up(boost::asio::ip::tcp::socket& s, tick time) {
  boost::system::error_code ignored;
  s.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  const tick due = port::now() + time;
  size_t left = 1u << 20;
  char dropped[2048];
  while (left != 0) {
    auto [error, bytes] =
        co_await async::within(left_until(due), s.async_read_some(boost::asio::buffer(dropped), asio::use_baton));
    if (error) break;
    left -= bytes < left ? bytes : left;
  }
  s.close(ignored);
}

}  // namespace baton::components::detail
