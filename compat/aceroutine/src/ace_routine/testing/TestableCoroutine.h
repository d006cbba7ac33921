// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/Coroutine.h>
#include <ace_routine/testing/TestableClockInterface.h>

namespace ace_routine {
namespace testing {

/// A coroutine with the clock of a test: `COROUTINE(TestableCoroutine, name) { ... }`. These
/// coroutines have a list of their own.
using TestableCoroutine = CoroutineTemplate<TestableClockInterface, uint16_t>;

}  // namespace testing
}  // namespace ace_routine
