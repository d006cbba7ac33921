// SPDX-License-Identifier: MIT
#include "asio_socket.hpp"

#include <boost/asio/connect.hpp>
#include <vector>

#include "asio_connect.hpp"

namespace baton::BATON_VARIANT::components::detail {

async::task<boost::system::error_code> connect(boost::asio::ip::tcp::socket& s, tcp_place to) {
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

std::string peer_of(const boost::asio::ip::tcp::socket& s) {
  boost::system::error_code error;
  const auto at = s.remote_endpoint(error);
  if (error) return {};
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

async::task<> hang_up(boost::asio::ip::tcp::socket& s, duration time) {
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

}  // namespace baton::BATON_VARIANT::components::detail
