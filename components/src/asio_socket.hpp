// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <string>
#include <string_view>

#include "tcp_link.hpp"

/// Functions that all connections need for their sockets.
namespace baton::BATON_VARIANT::components::detail {

/// The time at which a wait that begins here ends: `async::never` if that is `forever`.
inline tick due_in(time_limit limit) noexcept {
  return limit.is_finite() ? port::now() + limit.ticks() : async::never;
}

/// The time from here until `due`: 0 if that is past, and `forever` if it is `async::never`.
inline time_limit left_until(tick due) noexcept {
  if (due == async::never) return forever;
  const tick now = port::now();
  return due > now ? ticks(due - now) : 0_s;
}

/// The context of this thread's network.
/// Errors   std::logic_error: the thread has none; it names the worker, if it is given.
boost::asio::io_context& network_context(std::string_view worker = {});

/// The address of the other side, as in "127.0.0.1:80"; empty if the socket is not connected.
std::string peer_of(const tcp_link& l);

/// Ends a connection so that the other side gets everything that was sent, even if it is still
/// sending: incoming bytes are dropped, at most a megabyte.
async::task<> hang_up(tcp_link& l, duration time);

/// Makes the handshake of a secured connection that a server has accepted. If it fails, the client
/// is told the reason.
async::task<boost::system::error_code> greet(tcp_link& l, time_limit time);

}  // namespace baton::BATON_VARIANT::components::detail
