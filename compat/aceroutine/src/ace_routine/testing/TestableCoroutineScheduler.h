// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/CoroutineScheduler.h>
#include <ace_routine/testing/TestableCoroutine.h>

namespace ace_routine {
namespace testing {

/// Visits the coroutines of a test, and no other coroutines.
using TestableCoroutineScheduler = CoroutineSchedulerTemplate<TestableCoroutine>;

}  // namespace testing
}  // namespace ace_routine
