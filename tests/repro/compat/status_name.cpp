// SPDX-License-Identifier: MIT
// A sketch cannot have a type of its own with the name Status.
// Issue: Devices.
#include "sketch.hpp"

enum class Status : uint8_t { kIdle, kBusy };
Status status = Status::kIdle;
