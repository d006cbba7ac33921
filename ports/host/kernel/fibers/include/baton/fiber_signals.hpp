// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <signal.h>

namespace baton {

/// The signals of a thread that runs tasks, whose stacks are small.
struct fiber_signals {
  using handler = void (*)(int number, siginfo_t* info, void* context);

  /// Lets signals run on a stack of their own, unless the thread has one: on a processor with
  /// AVX-512 the operating system saves more than fits on a small task's stack. Calls `tell` before
  /// the process ends by the signal of a fault, unless the program handles that signal itself.
  static void begin(handler tell) {
    use_own_stack();
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (int number : faults) handle(number, tell);
  }

 private:
  struct signal_stack {
    alignas(16) char bytes[32768];
  };

  static void use_own_stack() {
    stack_t now = {};
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    stack_t own = {};
    own.ss_sp = port::local<signal_stack>::get().bytes;
    own.ss_size = sizeof(signal_stack);
    sigaltstack(&own, nullptr);
  }

  /// The handler is called once: then the signal has its default action, and the instruction fails
  /// again.
  static void handle(int number, handler tell) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) return;
    struct sigaction action = {};
    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    sigaction(number, &action, nullptr);
  }
};

}  // namespace baton
