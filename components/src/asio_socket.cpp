// SPDX-License-Identifier: MIT
#include "asio_socket.hpp"

#include <baton/async/with_frame.hpp>
#include <stdexcept>
#include <vector>

#include "asio_connect.hpp"

namespace baton::BATON_VARIANT::components::detail {

using boost::asio::ip::tcp;

boost::asio::io_context& network_context(std::string_view worker) {
  if (asio::has_context()) return asio::context();
  throw std::logic_error((worker.empty() ? "this thread" : "its worker '" + std::string(worker) + "'") +
                         " has no network: application::run(poller) gives one to the main worker, "
                         "add_worker(name, network_over<asio::poller>) to another");
}

/// Makes the handshake with the server of a place.
static async::task<connected> secure(tcp_link& l, const tcp_place& to, tls_protocol speaks) {
  try {
    if (to.security->is_for_servers()) throw std::invalid_argument("a client's place is secured by a tls_client");
    l = tcp_link(to.security->secure(std::move(l.next_layer()), to.address, speaks));
  } catch (const std::invalid_argument& e) {
    co_return connected{boost::asio::error::invalid_argument, e.what()};
  }
  auto [error] = co_await l.async_handshake(asio::use_baton);
  if (error) co_return connected{error, l.why(error)};
  co_return connected{};
}

async::task<connected> connect(tcp_link& l, tcp_place to, tls_protocol speaks) {
  boost::system::error_code is_name;
  const boost::asio::ip::address address = boost::asio::ip::make_address(to.address, is_name);
  std::vector<tcp::endpoint> places;
  if (is_name) {
    tcp::resolver names(network_context());
    auto [error, found] = co_await names.async_resolve(to.address, std::to_string(to.port), asio::use_baton);
    if (error) co_return connected{error, error.message()};
    for (const auto& one : found) places.push_back(one.endpoint());
  } else {
    places.emplace_back(address, to.port);
  }
  boost::system::error_code error, ignored;
  for (const tcp::endpoint& at : places) {
    l.next_layer().close(ignored);
    l.next_layer().open(at.protocol(), error);  // Asio's own loop over places calls a refusal of this a stop
    if (error) break;
    auto [ended] = co_await l.next_layer().async_connect(at, asio::use_baton);
    error = ended;
    if (!error || error == status::cancelled) break;
  }
  if (error) co_return connected{error, error.message()};
  l.next_layer().set_option(tcp::no_delay(true), ignored);
  if (to.security) co_return co_await async::with_frame(secure(l, to, speaks));
  co_return connected{};
}

std::string peer_of(const tcp_link& l) {
  boost::system::error_code error;
  const auto at = l.next_layer().remote_endpoint(error);
  if (error) return {};
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

async::task<> hang_up(tcp_link& l, duration time) {
  const tick due = port::now() + time;
  if (l.is_secured()) {
    auto [error] = co_await async::within(time, l.async_end_writing(asio::use_baton));
    if (error == status::cancelled) co_return l.close();
  }
  boost::system::error_code ignored;
  tcp_link::socket& s = l.next_layer();
  s.shutdown(tcp_link::socket::shutdown_send, ignored);
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

async::task<boost::system::error_code> greet(tcp_link& l, time_limit time) {
  auto [error] = co_await async::within(time, l.async_handshake(asio::use_baton));
  if (error && error != status::cancelled && error != status::timed_out) co_await async::with_frame(hang_up(l, 1_s));
  co_return error;
}

}  // namespace baton::BATON_VARIANT::components::detail
