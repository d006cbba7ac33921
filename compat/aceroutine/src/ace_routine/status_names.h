// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

namespace ace_routine {
namespace internal {

/// The names of the six statuses, one after another; in flash on targets that keep constants there.
static const char kStatusNames[] PROGMEM = "Suspended\0Yielding\0Delaying\0Running\0Ending\0Terminated";

/// A template, so that a header can define the array, and a program that does not use it has no
/// byte of it.
template <typename Unused>
struct StatusStrings {
  static const __FlashStringHelper* const strings[6];
};
template <typename Unused>
const __FlashStringHelper* const StatusStrings<Unused>::strings[6] = {
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames),       //
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames + 10),  //
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames + 19),  //
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames + 28),  //
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames + 36),  //
    reinterpret_cast<const __FlashStringHelper*>(kStatusNames + 43),
};

}  // namespace internal

/// The name of each status, indexed by the status.
/// Cost     12 bytes of RAM on AVR, if it is used; `statusPrintTo()` does not use it.
static const __FlashStringHelper* const* const sStatusStrings = internal::StatusStrings<void>::strings;

}  // namespace ace_routine
