// SPDX-License-Identifier: MIT
#pragma once

#include "overflow.hpp"

namespace faults {

/// What any processor can do wrong.
const misdeed misdeeds[] = {
    {"overflow", overflow, kernel::fault::stack_overflow, false},
};

void (*const harmless_deeds[])(void*) = {overflow};

}  // namespace faults
