// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace ace_routine {

/// Receives the duration of each step of a coroutine.
class CoroutineProfiler {  // NOLINT(cppcoreguidelines-virtual-class-destructor): no code destroys one by this type
 public:
  virtual void updateElapsedMicros(uint32_t micros) = 0;
};

}  // namespace ace_routine
