// SPDX-License-Identifier: MIT
#include "tls_context.hpp"

#include <openssl/err.h>
#include <stdexcept>
#include <system_error>

namespace baton::BATON_VARIANT::components::detail {

tls_context new_tls_context(const SSL_METHOD* m) {
  ERR_clear_error();  // what is told after this is of this context
  tls_context c(SSL_CTX_new(m), SSL_CTX_free);
  if (!c) throw std::bad_alloc();
  SSL_CTX_set_min_proto_version(c.get(), TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(c.get(), "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(c.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(c.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(c.get(), 0);
  // Otherwise OpenSSL would ask for the password of a key at the terminal.
  SSL_CTX_set_default_passwd_cb(c.get(), [](char*, int, int, void*) { return -1; });
  return c;
}

void throw_tls_fault(const std::string& what) {
  // The first error is the cause, and the errors after it are those of OpenSSL's callers.
  const unsigned long code = ERR_get_error();
  const char* const reason = ERR_reason_error_string(code);
  const bool is_systems = ERR_SYSTEM_ERROR(code) || !reason;
  throw std::runtime_error(what + ": " + (is_systems ? std::generic_category().message(ERR_GET_REASON(code)) : reason));
}

}  // namespace baton::BATON_VARIANT::components::detail
