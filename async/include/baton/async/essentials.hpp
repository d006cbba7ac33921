// SPDX-License-Identifier: MIT
#pragma once

/// The part of async that headers of other modules are written with: tasks, their waits and
/// results. `<baton/async.hpp>` has the rest as well, which takes longer to compile.
#include <baton/async/event.hpp>
#include <baton/async/mutex.hpp>
#include <baton/async/result.hpp>
#include <baton/async/select.hpp>
#include <baton/async/stop.hpp>
#include <baton/async/task.hpp>
#include <baton/async/task_within.hpp>
#include <baton/async/values.hpp>
