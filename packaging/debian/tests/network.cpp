// SPDX-License-Identifier: MIT
//
// A TCP server that a second service requires, and a TLS client without its certificates.
#include <baton/asio/poller.hpp>
#include <baton/components/asio_tcp_server.hpp>
#include <baton/components/tls_client.hpp>
#include <baton/service.hpp>
#include <cstdio>
#include <stdexcept>

using namespace baton::service;
using namespace baton::components;

static baton::async::task<> hang_up(tcp_connection&) {
  co_return;
}

static bool refuses_missing_certificates() {
  try {
    tls_client::trusting("none.pem");
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

struct visitor {
  visitor(required<tcp_server> s, context here) {
    if (s->port() && refuses_missing_certificates()) std::puts("listening");
    here.quit();
  }
};

int main() {
  application app;
  app.add<asio_tcp_server, tcp_server>(tcp_handler(hang_up));
  app.add<visitor>();
  baton::asio::poller io;
  return app.run(io);
}
