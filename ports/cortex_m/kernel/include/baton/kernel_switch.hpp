// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/linked_call.hpp>

extern "C" void baton_kernel_run(baton::kernel::kernel_state& m);

namespace baton {

/// Lets tasks enter the kernel on a Cortex-M by `svc`, with the call's number in r4. Any interrupt
/// that raises attention pends PendSV, which preempts.
///
/// Context  SVC and PendSV have the lowest priority, so interrupts interrupt the kernel, and the
///          kernel never runs twice at once. A privileged task must not call with interrupts
///          masked, for example by `port::critical`: such a call is a fault of the task.
struct kernel_switch {
// The arguments in_length and timeout go to r12 and lr, which ARMv6-M reaches by moves alone.
#ifdef __ARM_ARCH_6M__
#define BATON_UPPER_BOUND
#define BATON_UPPER_MOVED "mov r12, %[upper12]\n\tmov lr, %[upper14]\n\t"
#define BATON_UPPER_OPERANDS [upper12] "r"(in_length), [upper14] "r"(timeout)
#define BATON_UPPER_LOST , "r12", "lr"
#else
#define BATON_UPPER_BOUND                               \
  register kernel::word r12 __asm__("r12") = in_length; \
  register tick lr __asm__("lr") = timeout;
#define BATON_UPPER_MOVED
#define BATON_UPPER_OPERANDS "r"(r12), "r"(lr)
#define BATON_UPPER_LOST
#endif

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0") = first;
    register kernel::word r1 __asm__("r1") = second;
    register kernel::word r2 __asm__("r2") = out_length;
    register kernel::word r3 __asm__("r3") = in;
    register kernel::word r4 __asm__("r4") = static_cast<kernel::word>(N);
    BATON_UPPER_BOUND
    __asm__ volatile(BATON_UPPER_MOVED "svc 0"
                     : "+r"(r0), "+r"(r1), "+r"(r2)
                     : "r"(r3), "r"(r4), BATON_UPPER_OPERANDS
                     : "memory" BATON_UPPER_LOST);
    return kernel::answer{r0, r1, r2};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0") = first;
    register kernel::word r1 __asm__("r1") = second;
    register kernel::word r2 __asm__("r2") = out_length;
    register kernel::word r4 __asm__("r4") = static_cast<kernel::word>(N);
    __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1) : "r"(r2), "r"(r4) : "memory");
    return kernel::answer{r0, r1, 0};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    kernel::spi::link_call<N>();
    register kernel::word r0 __asm__("r0");
    register kernel::word r1 __asm__("r1");
    register kernel::word r2 __asm__("r2");
    register kernel::word r3 __asm__("r3") = in;
    register kernel::word r4 __asm__("r4") = static_cast<kernel::word>(N);
    BATON_UPPER_BOUND
    __asm__ volatile(BATON_UPPER_MOVED "svc 0"
                     : "=&r"(r0), "=&r"(r1), "=&r"(r2)
                     : "r"(r3), "r"(r4), BATON_UPPER_OPERANDS
                     : "memory" BATON_UPPER_LOST);
    return kernel::answer{r0, r1, r2};
  }
#undef BATON_UPPER_BOUND
#undef BATON_UPPER_MOVED
#undef BATON_UPPER_OPERANDS
#undef BATON_UPPER_LOST

  /// The default `on_fault` of a `system`: prints the fault on the board's console.
  static void say_fault(const kernel::kernel_state& m, const kernel::tcb& t, kernel::fault why, kernel::word address);

  static void run(kernel::kernel_state& m) { baton_kernel_run(m); }
};

template <typename Unused>
void port_detail::end_task() {
  kernel_switch::call_out<kernel::call_number::exit>(0, 0, 0);
  __builtin_unreachable();
}

}  // namespace baton
