// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>

namespace baton::BATON_VARIANT::service::detail {

/// Whether what a function returns is a coroutine of async's.
template <typename T>
constexpr bool is_task = false;
template <typename T>
constexpr bool is_task<async::task<T>> = true;

}  // namespace baton::BATON_VARIANT::service::detail
