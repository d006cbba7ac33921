// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace suite_service {

/// The operations that a workload has asked for, and those that have happened.
struct counted {
  uint64_t pushed = 0;
  uint64_t handled = 0;

  bool is_right() const { return pushed != 0 && handled == pushed; }
  counted& operator+=(const counted& other) {
    pushed += other.pushed;
    handled += other.handled;
    return *this;
  }
};

/// The count if all else is right; otherwise a count with nothing handled.
constexpr counted only_if(bool is_right, counted c) {
  return is_right ? c : counted{c.pushed, 0};
}

/// The number of events in flight in the case event_steady.
constexpr uint32_t in_flight = 16;

/// An event without a payload, and one of 8 bytes.
struct nothing {};
struct number {
  uint64_t value;
};

}  // namespace suite_service
