// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task_within.hpp>

/// Service-provider interface of async: tasks that can end by a status.
///
/// It is for Baton's modules. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// A task whose result can say a status: `full` if there was no memory for its frame, and the
/// status of a deadline in `within`.
template <typename Result>
using ending_task = detail::ending_task<Result>;

}  // namespace baton::BATON_VARIANT::async::spi
