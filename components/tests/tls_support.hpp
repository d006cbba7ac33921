// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tls_client.hpp>
#include <baton/components/tls_server.hpp>

#include "certificates.hpp"
#include "network.hpp"

/// The common parts of the tests of TLS.
namespace network_test {

/// A server's certificate in two files, and a client that trusts an authority.
struct secured {
  secured(const authority& trusted, const certificate_files& of_server)
      : server(after_write(of_server, trusted)), client(tls_client::trusting(at.path + "/authorities.pem")) {}

  /// The server's place.
  tcp_place place() const { return tcp_place().secured_by(server); }
  /// The place where the client finds the server.
  tcp_place place(uint16_t port, const std::string& host = "localhost") const {
    return tcp_place(port, host).secured_by(client);
  }
  void replace(const certificate_files& by) const {
    write_file(chain(), by.chain);
    write_file(key(), by.key);
  }
  std::string chain() const { return at.path + "/chain.pem"; }
  std::string key() const { return at.path + "/key.pem"; }

  scratch_folder at;
  tls_server server;
  tls_client client;

 private:
  tls_server after_write(const certificate_files& of_server, const authority& trusted) const {
    replace(of_server);
    write_file(at.path + "/authorities.pem", trusted.text());
    return {chain(), key()};
  }
};

}  // namespace network_test
