// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <signal.h>

namespace baton {

/// The kernel's time on Linux. It has an alarm of its own, whose signal raises attention; the
/// kernel tests attention at its next call.
struct fiber_clock {
  static void alarm(port::tick due) { host::set_alarm(due, host::kernels_alarm); }

  /// Lets the signal of an alarm run on a stack of its own, unless the thread has one: on a
  /// processor with AVX-512 the operating system saves more than fits on a small task's stack.
  static void begin(void (*)()) {
    stack_t now = {};
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    stack_t own = {};
    own.ss_sp = port::local<signal_stack>::get().bytes;
    own.ss_size = sizeof(signal_stack);
    sigaltstack(&own, nullptr);
  }
  static void end() {}

 private:
  struct signal_stack {
    alignas(16) char bytes[32768];
  };
};

}  // namespace baton
