// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/dispatch.hpp>

extern "C" void baton_template_run(baton::kernel::kernel_state& m);

namespace baton {

/// How tasks enter the kernel on FILL IN. `N` is known to the compiler: a trap can carry it as a constant, and lead to a handler of
/// its own.
struct kernel_switch {
  /// Enters the kernel with six fields, and comes back when this task runs again with what the kernel has written to `first` and `second`.
  /// FILL IN: an asm statement whose operands are the registers that the trap saves as the `request`. "memory" is among its clobbers, for
  /// the kernel reads and writes the task's buffers; so is each register that the trap does not give back.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r = {first, second, out_length, in, in_length, timeout};
    static_cast<void>(r);
    return kernel::answer{r.first, r.second};
  }

  /// The same where the kernel looks at the first three fields only: the others' registers need not be loaded.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    return call<N>(first, second, out_length, 0, 0, 0);
  }

  /// The same where it looks at the last three only.
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    return call<N>(0, 0, 0, in, in_length, timeout);
  }

  /// A `system`'s `on_fault` where the application has none. FILL IN: `&kernel::say_fault<...>` of <baton/kernel/print.hpp> with the function that
  /// puts a character on the console.
  static constexpr kernel::fault_listener say_fault = nullptr;

  static void run(kernel::kernel_state& m) { baton_template_run(m); }
};

}  // namespace baton
