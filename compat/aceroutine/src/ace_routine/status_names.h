// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

namespace ace_routine {
namespace internal {

/// The names of the six statuses, one after another; in flash on targets that keep constants there.
static const char kStatusNames[] PROGMEM = "Suspended\0Yielding\0Delaying\0Running\0Ending\0Terminated";

}  // namespace internal

// A cast that clang folds: without, it takes the table for one that is written at the start, which
// may not lie in a section of constants.
#define BATON_ACE_NAME_(at)                                                        \
  (__builtin_constant_p(internal::kStatusNames + at)                               \
       ? reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + at) \
       : reinterpret_cast<const __FlashStringHelper*>(internal::kStatusNames + at))

// NOLINTBEGIN(bugprone-branch-clone): see the macro
/// The name of each status, indexed by the status; in flash on targets that keep constants there,
/// so a program reads a name's address with `pgm_read_ptr()`.
static const __FlashStringHelper* const sStatusStrings[] PROGMEM = {BATON_ACE_NAME_(0),  BATON_ACE_NAME_(10),
                                                                    BATON_ACE_NAME_(19), BATON_ACE_NAME_(28),
                                                                    BATON_ACE_NAME_(36), BATON_ACE_NAME_(43)};

// NOLINTEND(bugprone-branch-clone)
#undef BATON_ACE_NAME_

}  // namespace ace_routine
