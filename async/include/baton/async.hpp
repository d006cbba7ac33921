// SPDX-License-Identifier: MIT
#pragma once

/// C++20 coroutines on core's scheduler, and the primitives for coroutines of both kinds that core
/// does not have.
#include <baton/core.hpp>

#include <baton/async/essentials.hpp>
#include <baton/async/join_handle.hpp>
#include <baton/async/select_any.hpp>
#include <baton/async/task_set.hpp>
#include <baton/async/until_stop.hpp>
