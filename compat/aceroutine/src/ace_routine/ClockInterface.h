// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>

namespace ace_routine {

/// The clock of `Coroutine`: Arduino's. A class of the same three functions is a clock for `CoroutineTemplate`.
///
/// Cost     `seconds()` divides by 1000, and so does each look of a COROUTINE_DELAY_SECONDS.
class ClockInterface {
 public:
  static unsigned long millis() { return ::millis(); }
  static unsigned long micros() { return ::micros(); }

  /// Starts again at 0 with `millis()`, after 49.7 days; a delay in seconds that is under way then ends early or late.
  static unsigned long seconds() { return ::millis() / 1000; }
};

}  // namespace ace_routine
