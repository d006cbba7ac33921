// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_connect.hpp>
#include <baton/components/asio_tcp_connection.hpp>
#include <baton/components/tcp_client.hpp>

namespace baton::components {

/// A TCP client over Boost.Asio.
///
/// Context  a worker whose loop is over `asio::poller`.
class asio_tcp_client final : public tcp_client {
 public:
  /// `patience` is for a connection to be made.
  explicit asio_tcp_client(const tcp_times& times = {}, tick patience = seconds(10))
      : times_(times), patience_(patience) {}

  async::task<tcp_opened> connect(tcp_place to) override { return open(times_, patience_, std::move(to)); }

 private:
  static async::task<tcp_opened> open(tcp_times times, tick patience, tcp_place to) {
    boost::asio::ip::tcp::socket s(asio::context());
    tcp_opened opened;
    async::result<boost::system::error_code> got = co_await async::within(patience, detail::connect(s, std::move(to)));
    if (!got) {
      opened.ended = got.status();
    } else if (got->failed()) {
      opened.ended = *got == status::cancelled ? status::cancelled : status::closed;
      opened.why = got->message();
    } else {
      opened.connection = std::make_unique<detail::asio_tcp_connection>(std::move(s), times);
    }
    co_return opened;
  }

  const tcp_times times_;
  const tick patience_;
};

}  // namespace baton::components
