// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_listener.hpp>
#include <baton/components/beast_websocket_session.hpp>

namespace baton::components {

/// A WebSocket server over Boost.Beast, at a port of its own.
///
///     app.add<beast_websocket_server, websocket_server>(tcp_place(8081));
///     baton::asio::poller io;
///     return app.run(io);
///
/// Shape    three coroutines for each connection, and its handler's. No compression.
/// Context  a worker whose loop is over `asio::poller`. It listens from its construction on, and its stop ends all connections.
/// Errors   boost::system::system_error: the place is no address, or cannot be listened at.
/// Source   RFC 6455.
class beast_websocket_server final : public websocket_server {
 public:
  explicit beast_websocket_server(service::context here, const tcp_place& at = tcp_place(),
                                  const websocket_server_limits& l = {})
      : core_{l, {}, &routes()}, door_(at) {
    here.spawn(door_.accept(l.connections, core_.counts.turned_away, [this](detail::tcp::socket s) {
      return detail::beast_websocket_session::run(std::move(s), core_);
    }));
  }

  uint16_t port() const override { return door_.port(); }
  websocket_counters counters() const override { return core_.counts; }

 private:
  detail::beast_websocket_core core_;
  detail::asio_listener door_;
};

}  // namespace baton::components
