// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>

/// Service-provider interface of async: deadlines of another module's operations.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// An operation to which `within` may give a deadline. It is an awaiter, and `co_await` begins it.
///
/// Context  the thread of its loop. `is_waiting()`, after its `await_suspend`, is true while the
///          wait goes on; only then is the deadline armed. `expire()` is called when the time is
///          up: it asks the operation to end, and the wait ends, with a result that says so, when
///          it has ended. The deadline is disarmed before `await_resume`.
template <typename Operation>
concept expirable = requires(Operation& o) {
  o.is_waiting();
  o.expire();
};

}  // namespace baton::BATON_VARIANT::async::spi
