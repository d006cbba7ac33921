// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

namespace ace_routine {
namespace internal {

/// The names of the six statuses, one after another; in flash on targets that keep constants there.
static const char kStatusNames[] PROGMEM = "Suspended\0Yielding\0Delaying\0Running\0Ending\0Terminated";

}  // namespace internal

/// The name of each status, indexed by the status; in flash on targets that keep constants there,
/// so a program reads a name's address with `pgm_read_ptr()`.
static const __FlashStringHelper* const sStatusStrings[] PROGMEM = {
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames),       //
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + 10),  //
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + 19),  //
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + 28),  //
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + 36),  //
    reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + 43),
};

}  // namespace ace_routine
