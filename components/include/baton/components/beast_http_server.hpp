// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_listener.hpp>
#include <baton/components/beast_http_session.hpp>
#include <baton/components/http_server.hpp>

namespace baton::components {

/// An HTTP/1.1 server over Boost.Beast.
///
///     app.add<beast_http_server, http_server>(tcp_place(8080));
///     baton::asio::poller io;
///     return app.run(io);
///
/// Shape    a coroutine for each connection, with a buffer of the header's limit. Requests of one connection are answered in their order.
/// Context  a worker whose loop is over `asio::poller`. It listens from its construction on, and its stop ends all connections.
/// Errors   boost::system::system_error: the place is no address, or cannot be listened at.
class beast_http_server final : public http_server {
 public:
  explicit beast_http_server(service::context here, const tcp_place& at = tcp_place(), const http_limits& l = {})
      : core_{l, {}, &routes()}, door_(at) {
    here.spawn(door_.accept(l.connections, core_.counts.turned_away, [this](detail::tcp::socket s) {
      return detail::beast_http_session::run(std::move(s), core_);
    }));
  }

  uint16_t port() const override { return door_.port(); }
  http_counters counters() const override { return core_.counts; }

 private:
  detail::beast_http_core core_;
  detail::asio_listener door_;
};

}  // namespace baton::components
