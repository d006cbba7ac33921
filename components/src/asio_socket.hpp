// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>

/// What all connections do with their sockets.
namespace baton::BATON_VARIANT::components::detail {

inline tick left_until(tick due) noexcept {
  const tick now = port::now();
  return due > now ? due - now : 0;
}

/// The other side, as "127.0.0.1:80". Empty: there is none any more.
std::string peer_of(const boost::asio::ip::tcp::socket& s);

/// Ends a connection so that the other side gets what was sent, though it may still be sending itself: what comes is dropped, a megabyte at most.
async::task<> hang_up(boost::asio::ip::tcp::socket& s, tick time);

}  // namespace baton::BATON_VARIANT::components::detail
