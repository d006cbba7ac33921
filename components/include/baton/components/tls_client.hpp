// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_place.hpp>

namespace baton::BATON_VARIANT::components {

/// The authorities that a client trusts, over OpenSSL: TLS 1.2 and 1.3.
///
///     const tls_client trust = tls_client::trusting_system();
///     http_reply r = co_await client->get(tcp_place(443, "example.org").secured_by(trust), "/");
///
/// Shape    a handle, whose copies share the authorities.
/// Context  any thread. A connection is made if the server's certificate is valid today, is signed
///          through a complete chain by one of the authorities, and is for the place's name, or for
///          its address if it has no name. Otherwise it ends with `closed`, and `why` has OpenSSL's
///          reason, "certificate has expired" for instance. Revocation is not checked.
/// Source   RFC 9525; docs/decisions/0050-tls-beside-the-socket.md.
class tls_client final : public tls_side {
 public:
  /// Trusts the authorities that the system trusts (Debian: ca-certificates).
  static tls_client trusting_system();
  /// Trusts the authorities of this file alone, in the form PEM.
  ///
  /// Errors   std::runtime_error: the file cannot be read, or has no certificate.
  static tls_client trusting(const std::string& authorities);
  /// Verifies nothing: whoever can reach into the network can read and change everything. For
  /// tests.
  static tls_client trusting_anyone();

 private:
  explicit tls_client(std::shared_ptr<const detail::tls_maker> m) : tls_side(std::move(m)) {}
};

}  // namespace baton::BATON_VARIANT::components
