// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async.hpp>
#include <baton/components/tcp_place.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

namespace baton::components::detail {

/// Connects a socket to an address, or to one of those that a name has.
inline async::task<boost::system::error_code> connect(boost::asio::ip::tcp::socket& s, tcp_place to) {
  using boost::asio::ip::tcp;
  boost::system::error_code is_name;
  const boost::asio::ip::address address = boost::asio::ip::make_address(to.address, is_name);
  std::vector<tcp::endpoint> places;
  if (is_name) {
    tcp::resolver names(asio::context());
    auto [error, found] = co_await names.async_resolve(to.address, std::to_string(to.port), asio::use_baton);
    if (error) co_return error;
    for (const auto& one : found) places.push_back(one.endpoint());
  } else {
    places.emplace_back(address, to.port);
  }
  auto [error, at] = co_await boost::asio::async_connect(s, places, asio::use_baton);
  if (error) co_return error;
  boost::system::error_code ignored;
  s.set_option(tcp::no_delay(true), ignored);
  co_return boost::system::error_code();
}

}  // namespace baton::components::detail
