// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/http_server.hpp>
#include <baton/components/tcp_place.hpp>

namespace baton::BATON_VARIANT::components {

/// An HTTP/1.1 server over Boost.Beast.
///
///     app.add<beast_http_server, http_server>(tcp_place(8080));
///     baton::asio::poller io;
///     return app.run(io);
///
/// Shape    one coroutine per connection, with a buffer of the header's limit. The requests of a
///          connection are answered in their order.
/// Context  a worker over an `asio::poller`: the main worker of `application::run(poller)`, or one
///          that was added with `network_over<asio::poller>`. The server listens from its
///          construction on, and its stop ends all connections.
/// Source   RFC 9110, RFC 9112; docs/http-rules.md has the rules, each with its test.
/// Errors   BATON_REQUIRE thread_without_poller: the worker has none. boost::system::system_error:
///          the place is not an address, or the system refuses to listen there.
class beast_http_server final : public http_server {
 public:
  explicit beast_http_server(service::context here, const tcp_place& at = tcp_place(), const http_limits& l = {});
  ~beast_http_server() override;

  async::task<status> drain(time_limit limit) override;
  uint16_t port() const override;
  http_counters counters() const override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace baton::BATON_VARIANT::components
