// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <baton/components/tcp_place.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace baton::BATON_VARIANT::components::detail {

using boost::asio::ip::tcp;

inline tcp::endpoint endpoint_of(const tcp_place& p) {
  return {boost::asio::ip::make_address(p.address), p.port};
}

/// Accepts connections and serves each in a coroutine, at most `most` at once.
///
/// Context  a thread whose loop is over `asio::poller`.
/// Errors   boost::system::system_error: the place is not an address, or the system refuses to
///          listen there.
class asio_listener {
 public:
  explicit asio_listener(const tcp_place& p)
      : door_(asio::context(), endpoint_of(p)), port_(door_.local_endpoint().port()) {}

  uint16_t port() const noexcept { return port_; }

  /// Accepts until it is stopped. Then it stops the connections, and ends when they have.
  /// `serve(socket)` does not throw.
  template <typename Serve>
  async::task<> accept(uint32_t most, uint64_t& turned_away, Serve serve) {
    async::scope open;
    for (;;) {
      auto [error, client] = co_await door_.async_accept(asio::use_baton);
      if (error == status::cancelled) break;
      if (error) {
        // The client is gone already, or the system is out of a resource. Accept again, after a
        // pause.
        const status slept = co_await async::sleep_for(milliseconds(10));
        if (slept != status::ok) break;
        continue;
      }
      if (open.running() >= most) {
        ++turned_away;
        continue;
      }
      boost::system::error_code ignored;
      client.set_option(tcp::no_delay(true), ignored);
      open.spawn(serve(std::move(client)));
    }
    door_.close();
    co_await open.join();
  }

 private:
  tcp::acceptor door_;
  const uint16_t port_;
};

}  // namespace baton::BATON_VARIANT::components::detail
