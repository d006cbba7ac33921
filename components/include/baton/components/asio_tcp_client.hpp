// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/tcp_client.hpp>

namespace baton::BATON_VARIANT::components {

/// A TCP client over Boost.Asio.
///
/// Context  a worker whose loop is over `asio::poller`.
class asio_tcp_client final : public tcp_client {
 public:
  /// `patience` limits the time to connect.
  explicit asio_tcp_client(const tcp_times& times = {}, duration patience = 10_s)
      : times_(times), patience_(patience) {}

  async::task<tcp_opened> connect(tcp_place to) override;

 private:
  const tcp_times times_;
  const duration patience_;
};

}  // namespace baton::BATON_VARIANT::components
