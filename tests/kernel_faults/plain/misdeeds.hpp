// SPDX-License-Identifier: MIT
#pragma once

#include "overflow.hpp"

namespace faults {

/// The misdeeds that are possible on any processor.
const misdeed misdeeds[] = {
    {"overflow", overflow, kernel::fault::stack_overflow, false},
};

void (*const harmless_deeds[])(void*) = {overflow};

}  // namespace faults
