// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>

/// Service-provider interface of async: awaiters that work on a coroutine's promise.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// The base of an awaiter that works on a coroutine's promise. A type without it that has
/// `await_ready` is a foreign awaiter.
struct promise_awaiter {};

}  // namespace baton::BATON_VARIANT::async::spi
