// SPDX-License-Identifier: MIT
#include <baton/components/tls_client.hpp>
#include <boost/asio/ip/address.hpp>
#include <openssl/x509v3.h>
#include <stdexcept>

#include "tls_layer.hpp"

namespace baton::BATON_VARIANT::components {
namespace detail {

/// Has OpenSSL compare the certificate with the host's address.
static bool expect_address(SSL* s, const boost::asio::ip::address& a) {
  X509_VERIFY_PARAM* const how = SSL_get0_param(s);
  if (a.is_v4()) {
    const auto bytes = a.to_v4().to_bytes();
    return X509_VERIFY_PARAM_set1_ip(how, bytes.data(), bytes.size()) == 1;
  }
  const auto bytes = a.to_v6().to_bytes();
  return X509_VERIFY_PARAM_set1_ip(how, bytes.data(), bytes.size()) == 1;
}

/// Has OpenSSL compare the certificate with the host's name, which the server is told. The
/// certificate's common name does not count.
/// Source   RFC 9525, 6.3; RFC 6066, 3: no address is told.
static bool expect_name(SSL* s, const std::string& host) {
  // OpenSSL would take an empty name for any, and one that begins with a dot for any below it.
  if (host.empty() || host[0] == '.' || host.find('\0') != std::string::npos) return false;
  SSL_set_hostflags(s, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  return SSL_set1_host(s, host.c_str()) == 1 && SSL_set_tlsext_host_name(s, host.c_str()) == 1;
}

static bool expect(SSL* s, const std::string& host) {
  boost::system::error_code is_name;
  const auto address = boost::asio::ip::make_address(host, is_name);
  return is_name ? expect_name(s, host) : expect_address(s, address);
}

struct client_maker final : tls_maker {
  explicit client_maker(tls_context c) : context(std::move(c)) {}

  bool is_for_servers() const noexcept override { return false; }
  std::shared_ptr<secure_layer> secure(secure_layer::socket s, const std::string& host, tls_protocol p) const override {
    tls_session t = new_tls_session(context);
    if (!expect(t.get(), host)) throw std::invalid_argument("no certificate can have the host's name");
    if (p == tls_protocol::http) {
      SSL_set_alpn_protos(t.get(), reinterpret_cast<const unsigned char*>(http_1_1.data()), http_1_1.size());
    }
    return new_tls_layer(std::move(s), std::move(t), false);
  }

  const tls_context context;
};

static tls_context new_verifying_context() {
  tls_context c = new_tls_context(TLS_client_method());
  SSL_CTX_set_verify(c.get(), SSL_VERIFY_PEER, nullptr);
  return c;
}

}  // namespace detail

tls_client tls_client::trusting_system() {
  detail::tls_context c = detail::new_verifying_context();
  if (SSL_CTX_set_default_verify_paths(c.get()) != 1) detail::throw_tls_fault("the system's authorities");
  return tls_client(std::make_shared<detail::client_maker>(std::move(c)));
}
tls_client tls_client::trusting(const std::string& authorities) {
  detail::tls_context c = detail::new_verifying_context();
  if (SSL_CTX_load_verify_file(c.get(), authorities.c_str()) != 1) detail::throw_tls_fault(authorities);
  return tls_client(std::make_shared<detail::client_maker>(std::move(c)));
}
tls_client tls_client::trusting_anyone() {
  detail::tls_context c = detail::new_tls_context(TLS_client_method());
  SSL_CTX_set_verify(c.get(), SSL_VERIFY_NONE, nullptr);
  return tls_client(std::make_shared<detail::client_maker>(std::move(c)));
}

}  // namespace baton::BATON_VARIANT::components
