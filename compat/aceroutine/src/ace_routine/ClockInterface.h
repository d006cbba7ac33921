// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>

namespace ace_routine {

/// The clock of `Coroutine`, which is Arduino's. Any class with these three functions can be the
/// clock of a `CoroutineTemplate`.
///
/// Cost     `seconds()` divides by 1000; a COROUTINE_DELAY_SECONDS does so at each visit.
class ClockInterface {
 public:
  static unsigned long millis() { return ::millis(); }
  static unsigned long micros() { return ::micros(); }

  /// Starts again at 0 when `millis()` does, after 49.7 days; a running delay in seconds then ends
  /// early or late.
  static unsigned long seconds() { return ::millis() / 1000; }
};

}  // namespace ace_routine
