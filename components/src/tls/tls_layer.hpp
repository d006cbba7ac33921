// SPDX-License-Identifier: MIT
#pragma once

#include "../secure_layer.hpp"
#include "tls_context.hpp"

namespace baton::BATON_VARIANT::components::detail {

struct tls_free {
  void operator()(SSL* s) const { SSL_free(s); }
};
using tls_session = std::unique_ptr<SSL, tls_free>;

/// A session of OpenSSL with the settings of a context, which it keeps.
tls_session new_tls_session(const tls_context& c);

/// Puts a session on a socket.
std::shared_ptr<secure_layer> new_tls_layer(secure_layer::socket s, tls_session t, bool is_server);

}  // namespace baton::BATON_VARIANT::components::detail
