// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

namespace baton {

/// The kernel's time on Linux. It has an alarm of its own, whose signal raises attention; the
/// kernel tests attention at its next call.
struct fiber_clock {
  static void alarm(port::tick due) { host::set_alarm(due, host::kernels_alarm); }

  static void begin(void (*)()) {}
  static void end() {}
};

}  // namespace baton
