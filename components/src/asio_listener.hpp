// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <baton/components/tcp_place.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "connection_places.hpp"

namespace baton::BATON_VARIANT::components::detail {

using boost::asio::ip::tcp;

inline tcp::endpoint endpoint_of(const tcp_place& p) {
  return {boost::asio::ip::make_address(p.address), p.port};
}

/// Accepts connections and serves each in a coroutine, at most `most` at once, and at most
/// `per_peer` of one address.
///
/// Context  a thread whose loop is over `asio::poller`.
/// Errors   boost::system::system_error: the place is not an address, or the system refuses to
///          listen there.
class asio_listener {
 public:
  using place = std::unique_ptr<connection_place>;

  asio_listener(const tcp_place& p, uint32_t most, uint32_t per_peer)
      : door_(asio::context(), endpoint_of(p)), port_(door_.local_endpoint().port()), places_(most, per_peer) {}

  uint16_t port() const noexcept { return port_; }

  /// Accepts until it is stopped or drains. Then it ends when the connections have; a stop stops
  /// them. `serve(socket, place)` does not throw. `refusal` is sent to those who are turned away.
  template <typename Serve>
  async::task<> accept(uint64_t& turned_away, std::string_view refusal, Serve serve) {
    async::scope open;
    for (;;) {
      auto [error, client] = co_await door_.async_accept(asio::use_baton);
      if (error == status::cancelled || !door_.is_open()) break;
      if (error) {
        // The client is gone already, or the system is out of a resource. Accept again, after a
        // pause.
        const status slept = co_await async::sleep_for(milliseconds(10));
        if (slept != status::ok) break;
        continue;
      }
      boost::system::error_code ignored;
      const tcp::endpoint peer = client.remote_endpoint(ignored);
      place own = places_.take(peer.address());
      if (!own) {
        ++turned_away;
        turn_away(client, refusal);
        continue;
      }
      client.set_option(tcp::no_delay(true), ignored);
      open.spawn(serve(std::move(client), std::move(own)));
    }
    door_.close();
    co_await open.join();
  }

  /// Accepts nobody any more, and asks the connections that wait to go.
  void drain() {
    boost::system::error_code ignored;
    door_.close(ignored);
    places_.release_idle();
  }
  bool is_draining() const noexcept { return !door_.is_open(); }

 private:
  /// Sends as much as the system accepts at once: whoever has no place takes no time either.
  static void turn_away(tcp::socket& client, std::string_view refusal) {
    if (refusal.empty()) return;
    boost::system::error_code ignored;
    client.non_blocking(true, ignored);
    client.write_some(boost::asio::const_buffer(refusal.data(), refusal.size()), ignored);
    client.shutdown(tcp::socket::shutdown_send, ignored);
  }

  tcp::acceptor door_;
  const uint16_t port_;
  connection_places places_;
};

}  // namespace baton::BATON_VARIANT::components::detail
