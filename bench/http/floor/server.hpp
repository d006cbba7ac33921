// SPDX-License-Identifier: MIT
#pragma once

#include "session.hpp"

namespace http_floor {

/// Listens on the loopback interface, and serves each connection.
class server {
 public:
  server(net::io_context& in, uint16_t port, limits l = {})
      : all(in, std::move(l)), pause_(in), door_(in, tcp::endpoint(net::ip::address_v4::loopback(), port)) {
    accept();
  }

  house all;

  void route(const std::string& method, const std::string& path, handler h) { all.routes[path][method] = std::move(h); }
  uint16_t port() const { return door_.local_endpoint().port(); }

 private:
  void accept() {
    door_.async_accept([this](boost::system::error_code e, socket client) {
      if (e == net::error::operation_aborted) return;
      if (!e) {
        admit(std::move(client));
        return accept();
      }
      pause_.expires_after(std::chrono::milliseconds(10));  // the system is out of a resource
      pause_.async_wait([this](boost::system::error_code f) {
        if (!f) accept();
      });
    });
  }
  void admit(socket client) {
    static constexpr text none =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    boost::system::error_code ignored;
    const net::ip::address peer = client.remote_endpoint(ignored).address();
    if (!all.has_place(peer)) {
      client.non_blocking(true, ignored);
      client.write_some(net::const_buffer(none.data(), none.size()), ignored);
      client.shutdown(socket::shutdown_send, ignored);
      return;
    }
    client.set_option(tcp::no_delay(true), ignored);
    reply(new session(std::move(client), all, peer))->next();
  }

  net::steady_timer pause_;
  net::basic_socket_acceptor<tcp, executor> door_;
};

}  // namespace http_floor
