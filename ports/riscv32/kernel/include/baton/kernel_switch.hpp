// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/linked_call.hpp>

/// Stands in ports/riscv32/kernel/src/traps.cpp.
void baton_riscv32_run(baton::kernel::kernel_state& m);

namespace baton {

/// Lets tasks enter the kernel on RV32 by an `ecall`, with four times the call's number in t1. The
/// call leaves sp, s0, gp and tp as they are. Saving each other register costs an instruction, so
/// the caller saves those that it uses.
struct kernel_switch {
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word a0 __asm__("a0") = first;
    register kernel::word a1 __asm__("a1") = second;
    register kernel::word a2 __asm__("a2") = out_length;
    register kernel::word a3 __asm__("a3") = in;
    register kernel::word a4 __asm__("a4") = in_length;
    register kernel::word a5 __asm__("a5") = timeout;
    register kernel::word t1 __asm__("t1") = 4 * static_cast<kernel::word>(N);
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(t1)
                     :
                     : "ra", "t0", "t2", "t3", "t4", "t5", "t6", "a6", "a7", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                       "s8", "s9", "s10", "s11", "memory");
    return kernel::answer{a0, a1, a2};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    kernel::spi::link_call<N>();
    register kernel::word a0 __asm__("a0") = first;
    register kernel::word a1 __asm__("a1") = second;
    register kernel::word a2 __asm__("a2") = out_length;
    register kernel::word t1 __asm__("t1") = 4 * static_cast<kernel::word>(N);
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(t1)
                     :
                     : "ra", "t0", "t2", "t3", "t4", "t5", "t6", "a3", "a4", "a5", "a6", "a7", "s1", "s2", "s3", "s4",
                       "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory");
    return kernel::answer{a0, a1, a2};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word a0 __asm__("a0");
    register kernel::word a1 __asm__("a1");
    register kernel::word a2 __asm__("a2");
    register kernel::word a3 __asm__("a3") = in;
    register kernel::word a4 __asm__("a4") = in_length;
    register kernel::word a5 __asm__("a5") = timeout;
    register kernel::word t1 __asm__("t1") = 4 * static_cast<kernel::word>(N);
    __asm__ volatile("ecall"
                     : "=r"(a0), "=r"(a1), "=r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(t1)
                     :
                     : "ra", "t0", "t2", "t3", "t4", "t5", "t6", "a6", "a7", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                       "s8", "s9", "s10", "s11", "memory");
    return kernel::answer{a0, a1, a2};
  }

  /// The default `on_fault` of a `system`: prints the fault on the board's console.
  static void say_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why, kernel::word address);

  static void run(kernel::kernel_state& m) { baton_riscv32_run(m); }
};

}  // namespace baton
