// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/tcp_place.hpp>
#include <baton/components/websocket_server.hpp>

namespace baton::BATON_VARIANT::components {

/// A WebSocket server over Boost.Beast, with a port of its own.
///
///     app.add<beast_websocket_server, websocket_server>(tcp_place(8081));
///     baton::asio::poller io;
///     return app.run(io);
///
/// Shape    four coroutines per connection, and its handler's.
/// Context  a worker whose loop is over `asio::poller`. The server listens from its construction
///          on, and its stop ends all connections.
/// Errors   boost::system::system_error: the place is not an address, or the system refuses to
///          listen there.
/// Source   RFC 6455.
class beast_websocket_server final : public websocket_server {
 public:
  explicit beast_websocket_server(service::context here, const tcp_place& at = tcp_place(),
                                  const websocket_server_limits& l = {});
  ~beast_websocket_server() override;

  async::task<status> drain(time_limit limit) override;
  uint16_t port() const override;
  websocket_counters counters() const override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace baton::BATON_VARIANT::components
