// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_listener.hpp>
#include <baton/components/asio_tcp_connection.hpp>
#include <baton/components/tcp_server.hpp>
#include <baton/service/context.hpp>

namespace baton::components {

/// A TCP server over Boost.Asio: a service as it is, or a base of one whose handler uses what is injected into it.
///
///     app.add<asio_tcp_server, tcp_server>(tcp_handler(echo), tcp_place(7000));
///
/// Context  a worker whose loop is over `asio::poller`. It listens from its construction on.
/// Errors   boost::system::system_error: the place is no address, or cannot be listened at. What a handler throws is counted.
class asio_tcp_server : public tcp_server {
 public:
  asio_tcp_server(service::context here, tcp_handler serve, const tcp_place& at = tcp_place(), const tcp_limits& l = {})
      : serve_(std::move(serve)), limits_(l), door_(at) {
    here.spawn(door_.accept(l.connections, counts_.turned_away,
                            [this](detail::tcp::socket s) { return run(std::move(s), *this); }));
  }
  ~asio_tcp_server() override = default;

  uint16_t port() const override { return door_.port(); }
  tcp_counters counters() const override { return counts_; }

 private:
  static async::task<> run(detail::tcp::socket s, asio_tcp_server& of) {
    ++of.counts_.connections;
    ++of.counts_.open;
    bool has_failed = false;
    try {
      detail::asio_tcp_connection one(std::move(s), of.limits_.times);
      co_await of.serve_(one);
    } catch (...) {
      has_failed = true;
    }
    --of.counts_.open;
    ++(has_failed ? of.counts_.failed : of.counts_.ended);
  }

  const tcp_handler serve_;
  const tcp_limits limits_;
  tcp_counters counts_;
  detail::asio_listener door_;
};

}  // namespace baton::components
