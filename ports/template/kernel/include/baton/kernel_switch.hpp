// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/dispatch.hpp>

extern "C" void baton_template_run(baton::kernel::kernel_state& m);

namespace baton {

/// Lets tasks enter the kernel on FILL IN. The compiler knows `N`: a trap can carry it as a
/// constant, and lead to a handler of its own.
struct kernel_switch {
  /// Enters the kernel with six fields. When this task runs again, returns the values that the
  /// kernel has written to `first`, `second` and, in a receive, `out_length`. FILL IN: an asm
  /// statement whose operands are the registers that the trap saves as the `request`. "memory" is
  /// among its clobbers, because the kernel reads and writes the task's buffers; so is each
  /// register that the trap does not restore.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r = {first, second, out_length, in, in_length, timeout};
    static_cast<void>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  /// Does the same for a call of which the kernel reads the first three fields only: the registers
  /// of the others need not be loaded.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    return call<N>(first, second, out_length, 0, 0, 0);
  }

  /// Does the same for a call of which the kernel reads the last three fields only.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    return call<N>(0, 0, 0, in, in_length, timeout);
  }

  /// The default `on_fault` of a `system`. FILL IN: `&kernel::say_fault<...>` of
  /// <baton/kernel/print.hpp> with the function that puts a character on the console.
  static constexpr kernel::fault_listener say_fault = nullptr;

  static void run(kernel::kernel_state& m) { baton_template_run(m); }
};

}  // namespace baton
