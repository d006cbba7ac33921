// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace ace_routine {

/// Takes note of how long each step of a coroutine took.
class CoroutineProfiler {  // NOLINT(cppcoreguidelines-virtual-class-destructor): nobody destroys one by this type
 public:
  virtual void updateElapsedMicros(uint32_t micros) = 0;
};

}  // namespace ace_routine
