// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

/// The settings of OpenSSL that connections share.
namespace baton::BATON_VARIANT::components::detail {

using tls_context = std::shared_ptr<SSL_CTX>;

/// "http/1.1" in the form of the extension.
/// Source   RFC 7301, 3.1.
inline constexpr std::string_view http_1_1 = "\x08http/1.1";

/// A context for TLS 1.2 and 1.3, for servers or for clients.
/// Source   RFC 9325, 4.2: suites with forward secrecy and authenticated encryption.
tls_context new_tls_context(const SSL_METHOD* m);

/// Throws std::runtime_error: the text `what`, and OpenSSL's reason.
[[noreturn]] void throw_tls_fault(const std::string& what);

}  // namespace baton::BATON_VARIANT::components::detail
