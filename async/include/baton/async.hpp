// SPDX-License-Identifier: MIT
#pragma once

/// C++20 coroutines on core's scheduler, and the primitives for coroutines of both kinds that core
/// does not have.
#include <baton/async/event.hpp>
#include <baton/async/join_handle.hpp>
#include <baton/async/mutex.hpp>
#include <baton/async/result.hpp>
#include <baton/async/select.hpp>
#include <baton/async/select_any.hpp>
#include <baton/async/stop.hpp>
#include <baton/async/task.hpp>
#include <baton/async/task_set.hpp>
#include <baton/async/task_within.hpp>
#include <baton/async/until_stop.hpp>
#include <baton/async/values.hpp>
