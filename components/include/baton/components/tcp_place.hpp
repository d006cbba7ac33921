// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <memory>
#include <string>

namespace baton::BATON_VARIANT::components {

namespace detail {
class tls_maker;
}  // namespace detail

/// One side of TLS: a `tls_server` or a `tls_client`.
class tls_side {
 protected:
  explicit tls_side(std::shared_ptr<const detail::tls_maker> m) : maker_(std::move(m)) {}
  ~tls_side() = default;
  tls_side(const tls_side&) = default;
  tls_side& operator=(const tls_side&) = default;

 private:
  friend struct tcp_place;
  std::shared_ptr<const detail::tls_maker> maker_;
};

/// The address that a server listens at, or that a client connects to.
///
/// Shape    an address, or a host name where a function accepts one. By default a server listens on
///          the loopback interface alone, at a free port.
struct tcp_place {
  explicit tcp_place(uint16_t p = 0, std::string a = "127.0.0.1") : address(std::move(a)), port(p) {}

  /// Lets a server listen beside servers of other workers at the same place. The kernel gives each
  /// of them its share of the connections (SO_REUSEPORT).
  ///
  ///     w.add<beast_http_server, http_server>(tcp_place(8080).shared());  // for each worker `w`
  ///
  /// Context  all of them have to share. Processes of the same user can join, so a second start of
  ///          the program is not refused.
  tcp_place shared() const {
    tcp_place to(*this);
    to.is_shared = true;
    return to;
  }
  /// This place with TLS on each connection: that of a `tls_server` for a server, and that of a
  /// `tls_client` for a client, which then expects a certificate for `address`.
  ///
  ///     app.add<beast_http_server, http_server>(tcp_place(8443).secured_by(certificate));
  tcp_place secured_by(const tls_side& t) const {
    tcp_place to(*this);
    to.security = t.maker_;
    return to;
  }

  /// This place by a socket that listens already, which the program was given. A server listens by
  /// a copy of the descriptor, so clients that come while it is restarted wait.
  tcp_place listening(int socket) const {
    tcp_place to(*this);
    to.descriptor = socket;
    return to;
  }

  std::string address;
  uint16_t port;
  int descriptor = -1;  ///< of a socket that listens; -1: the server makes one
  bool is_shared = false;
  std::shared_ptr<const detail::tls_maker> security;  ///< null: no TLS
};

}  // namespace baton::BATON_VARIANT::components
