// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace suite_service {

/// What a workload has asked for, and what of it has happened.
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

/// Where more has to be right than two numbers: none was handled, if it is not.
constexpr counted only_if(bool is_right, counted c) {
  return is_right ? c : counted{c.pushed, 0};
}

/// Events that are in flight in the case event_steady.
constexpr uint32_t in_flight = 16;

/// An event without a payload, and one of 8 bytes.
struct nothing {};
struct number {
  uint64_t value;
};

}  // namespace suite_service
