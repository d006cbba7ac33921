// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

/// A name for the way in which a program is compiled: its port, exceptions and AddressSanitizer.
///
/// Each of them changes the layout or the inline code of the libraries above core. So these
/// libraries live in an inline namespace of this name: `baton::service::context` is
/// `baton::on_host::service::context` to the linker. A program that mixes two ways, or that is
/// linked with a library of another way, does not link.
///
/// Shape    `on_` and the port's name, `BATON_PORT_NAME`, which also says what the port checks and
///          traces; `on_device` for a port that has no such name. Then `_no_exceptions`, and
///          `_asan`.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BATON_WITH_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BATON_WITH_ASAN 1
#endif

#define BATON_JOINED_NAME(a, b) on_##a##b
#define BATON_JOINED(a, b) BATON_JOINED_NAME(a, b)
#define BATON_QUOTED_NAME(a) #a
#define BATON_QUOTED(a) BATON_QUOTED_NAME(a)
#if !defined(BATON_PORT_NAME)
#define BATON_VARIANT_NAME on_device
#elif defined(__cpp_exceptions) && defined(BATON_WITH_ASAN)
#define BATON_VARIANT_NAME BATON_JOINED(BATON_PORT_NAME, _asan)
#elif defined(__cpp_exceptions)
#define BATON_VARIANT_NAME BATON_JOINED(BATON_PORT_NAME, )
#elif defined(BATON_WITH_ASAN)
#define BATON_VARIANT_NAME BATON_JOINED(BATON_PORT_NAME, _no_exceptions_asan)
#else
#define BATON_VARIANT_NAME BATON_JOINED(BATON_PORT_NAME, _no_exceptions)
#endif

/// The namespace: `namespace baton::BATON_VARIANT::service {` opens it.
#define BATON_VARIANT inline BATON_VARIANT_NAME

/// The name of the namespace as a string literal.
#define BATON_VARIANT_TEXT BATON_QUOTED(BATON_VARIANT_NAME)
