// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_place.hpp>
#include <baton/core/status.hpp>

namespace baton::BATON_VARIANT::components {

/// The result of a reload: `ok`, or `closed` and the reason.
struct tls_reloaded {
  explicit operator bool() const noexcept { return ended == status::ok; }
  status ended = status::ok;
  std::string why;
};

/// The certificate and the private key of a server, over OpenSSL: TLS 1.2 and 1.3, without sessions
/// that are resumed.
///
///     tls_server certificate("/etc/weather/chain.pem", "/etc/weather/key.pem");
///     app.add<beast_http_server, http_server>(tcp_place(8443).secured_by(certificate));
///
/// Shape    a handle: its copies, and the servers that it secures, share the certificate.
/// Context  any thread.
/// Source   RFC 8446; RFC 7301 for the protocol's name;
///          docs/decisions/0050-tls-beside-the-socket.md.
class tls_server final : public tls_side {
 public:
  /// Reads two files in the form PEM: `chain` begins with the server's certificate, and each
  /// further one has signed the one before it; the root may be left out. `key` has no password.
  ///
  /// Errors   std::runtime_error: a file cannot be read, or the key is another certificate's. The
  ///          text has OpenSSL's reason.
  tls_server(std::string chain, std::string key);

  /// Reads the files again. New connections get the new certificate; open ones keep theirs. After a
  /// failure new connections get the old one.
  ///
  /// Context  it reads files, on the thread of its caller.
  tls_reloaded reload();

 private:
  struct maker;
  explicit tls_server(std::shared_ptr<maker> m);
  std::shared_ptr<maker> files_;
};

}  // namespace baton::BATON_VARIANT::components
