// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/linked_call.hpp>

/// Stands in ports/armv5/kernel/src/traps.cpp.
void baton_armv5_run(baton::kernel::kernel_state& m);

namespace baton {

/// Lets tasks enter the kernel on ARMv5 by a `swi` with the call's number in r12. The kernel
/// changes r0 and r1, and r2 where the call receives.
struct kernel_switch {
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0") = first;
    register kernel::word r1 __asm__("r1") = second;
    register kernel::word r2 __asm__("r2") = out_length;
    register kernel::word r3 __asm__("r3") = in;
    register kernel::word r4 __asm__("r4") = in_length;
    register kernel::word r5 __asm__("r5") = timeout;
    register kernel::word r12 __asm__("r12") = static_cast<kernel::word>(N);
    __asm__ volatile("swi 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r3), "r"(r4), "r"(r5), "r"(r12) : "memory");
    return kernel::answer{r0, r1, r2};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0") = first;
    register kernel::word r1 __asm__("r1") = second;
    register kernel::word r2 __asm__("r2") = out_length;
    register kernel::word r12 __asm__("r12") = static_cast<kernel::word>(N);
    __asm__ volatile("swi 0" : "+r"(r0), "+r"(r1) : "r"(r2), "r"(r12) : "memory");
    return kernel::answer{r0, r1, 0};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0");
    register kernel::word r1 __asm__("r1");
    register kernel::word r2 __asm__("r2");
    register kernel::word r3 __asm__("r3") = in;
    register kernel::word r4 __asm__("r4") = in_length;
    register kernel::word r5 __asm__("r5") = timeout;
    register kernel::word r12 __asm__("r12") = static_cast<kernel::word>(N);
    __asm__ volatile("swi 0" : "=r"(r0), "=r"(r1), "=r"(r2) : "r"(r3), "r"(r4), "r"(r5), "r"(r12) : "memory");
    return kernel::answer{r0, r1, r2};
  }

  /// The default `on_fault` of a `system`: prints the fault on the board's console.
  static void say_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why, kernel::word address);

  static void run(kernel::kernel_state& m) { baton_armv5_run(m); }
};

}  // namespace baton
