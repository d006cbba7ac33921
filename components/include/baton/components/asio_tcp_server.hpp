// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/tcp_place.hpp>
#include <baton/components/tcp_server.hpp>
#include <baton/service/context.hpp>

namespace baton::BATON_VARIANT::components {

/// A TCP server over Boost.Asio: a service as it is, or the base of a service whose handler uses
/// injected dependencies.
///
///     app.add<asio_tcp_server, tcp_server>(tcp_handler(echo), tcp_place(7000));
///
/// Context  a worker whose loop is over `asio::poller`. The server listens from its construction
///          on.
/// Errors   boost::system::system_error: the place is not an address, or the system refuses to
///          listen there. An exception of a handler is counted.
class asio_tcp_server : public tcp_server {
 public:
  asio_tcp_server(service::context here, tcp_handler serve, const tcp_place& at = tcp_place(),
                  const tcp_limits& l = {});
  ~asio_tcp_server() override;

  uint16_t port() const override;
  tcp_counters counters() const override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace baton::BATON_VARIANT::components
