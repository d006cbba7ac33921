// SPDX-License-Identifier: MIT
#include <baton/components/tls_server.hpp>
#include <mutex>
#include <stdexcept>

#include "tls_layer.hpp"

namespace baton::BATON_VARIANT::components {
namespace detail {

/// The place in a session for the mark of the protocol that the server speaks.
static int protocol_mark() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

/// Chooses HTTP/1.1 on a server of HTTP. A client that speaks other protocols alone is refused: it
/// would take the answer for one of its own.
/// Source   RFC 7301, 3.2.
static int choose_protocol(SSL* s, const unsigned char** chosen, unsigned char* bytes, const unsigned char* offered,
                           unsigned int offered_bytes, void*) {
  if (!SSL_get_ex_data(s, protocol_mark())) return SSL_TLSEXT_ERR_NOACK;
  unsigned char* one = nullptr;
  const auto* own = reinterpret_cast<const unsigned char*>(http_1_1.data());
  const int found = SSL_select_next_proto(&one, bytes, own, http_1_1.size(), offered, offered_bytes);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = one;
  return SSL_TLSEXT_ERR_OK;
}

static tls_context load(const std::string& chain, const std::string& key) {
  tls_context c = new_tls_context(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(c.get(), chain.c_str()) != 1) throw_tls_fault(chain);
  if (SSL_CTX_use_PrivateKey_file(c.get(), key.c_str(), SSL_FILETYPE_PEM) != 1) throw_tls_fault(key);
  // A key of another kind is not compared with the certificate until now.
  if (SSL_CTX_check_private_key(c.get()) != 1) throw_tls_fault(key);
  SSL_CTX_set_alpn_select_cb(c.get(), choose_protocol, nullptr);
  return c;
}

}  // namespace detail

struct tls_server::maker final : detail::tls_maker {
  maker(std::string c, std::string k) : chain(std::move(c)), key(std::move(k)), context(detail::load(chain, key)) {}

  bool is_for_servers() const noexcept override { return true; }
  std::shared_ptr<detail::secure_layer> secure(detail::secure_layer::socket s, const std::string&,
                                               detail::tls_protocol p) const override {
    detail::tls_session t = detail::new_tls_session(current());
    static char is_http;
    if (p == detail::tls_protocol::http) SSL_set_ex_data(t.get(), detail::protocol_mark(), &is_http);
    return detail::new_tls_layer(std::move(s), std::move(t), true);
  }
  detail::tls_context current() const {
    const std::lock_guard mine(guard);
    return context;
  }

  const std::string chain;
  const std::string key;
  mutable std::mutex guard;
  detail::tls_context context;
};

tls_server::tls_server(std::string chain, std::string key)
    : tls_server(std::make_shared<maker>(std::move(chain), std::move(key))) {}
tls_server::tls_server(std::shared_ptr<maker> m) : tls_side(m), files_(std::move(m)) {}

tls_reloaded tls_server::reload() {
  try {
    detail::tls_context next = detail::load(files_->chain, files_->key);
    const std::lock_guard mine(files_->guard);
    files_->context.swap(next);
  } catch (const std::runtime_error& e) {
    return {status::closed, e.what()};
  }
  return {};
}

}  // namespace baton::BATON_VARIANT::components
