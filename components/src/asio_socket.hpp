// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>

/// Functions that all connections need for their sockets.
namespace baton::BATON_VARIANT::components::detail {

inline tick left_until(tick due) noexcept {
  const tick now = port::now();
  return due > now ? due - now : 0;
}

/// The address of the other side, as in "127.0.0.1:80"; empty if the socket is not connected.
std::string peer_of(const boost::asio::ip::tcp::socket& s);

/// Ends a connection so that the other side gets everything that was sent, even if it is still
/// sending: incoming bytes are dropped, at most a megabyte.
async::task<> hang_up(boost::asio::ip::tcp::socket& s, tick time);

}  // namespace baton::BATON_VARIANT::components::detail
