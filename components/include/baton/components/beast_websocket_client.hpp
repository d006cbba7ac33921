// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/websocket_client.hpp>

namespace baton::BATON_VARIANT::components {

/// A WebSocket client over Boost.Beast.
///
/// Context  a worker whose loop is over `asio::poller`.
class beast_websocket_client final : public websocket_client {
 public:
  /// `patience` limits the time to open a connection.
  explicit beast_websocket_client(const websocket_limits& l = {}, duration patience = 10_s)
      : limits_(l), patience_(patience) {}

  async::task<websocket_opened> connect(tcp_place to, std::string target, std::vector<http_header> headers) override;

 private:
  const websocket_limits limits_;
  const duration patience_;
};

}  // namespace baton::BATON_VARIANT::components
