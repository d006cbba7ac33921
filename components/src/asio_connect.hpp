// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <baton/components/tcp_place.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace baton::BATON_VARIANT::components::detail {

/// Connects a socket to an address, or to one of the addresses of a name.
async::task<boost::system::error_code> connect(boost::asio::ip::tcp::socket& s, tcp_place to);

}  // namespace baton::BATON_VARIANT::components::detail
