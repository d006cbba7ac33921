// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>

namespace baton::BATON_VARIANT::service::detail {

/// True if `T`, the result of a function, is a coroutine of async.
template <typename T>
constexpr bool is_task = false;
template <typename T>
constexpr bool is_task<async::task<T>> = true;

}  // namespace baton::BATON_VARIANT::service::detail
