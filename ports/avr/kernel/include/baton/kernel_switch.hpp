// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/dispatch.hpp>

/// These functions stand in ports/avr/kernel/src/switch.cpp.
extern "C" {
/// Pushes the registers that a function keeps, changes the stack and returns there. Call it with
/// interrupts masked.
void baton_avr_switch(uint8_t** from, uint8_t* to);
void baton_avr_run(baton::kernel::kernel_state& m);
/// Leaves the kernel: handles pending events as long as attention is raised, then goes on with
/// `next`, or with main if it is null. Interrupts are on when it returns.
void baton_avr_leave(baton::kernel::tcb* self, baton::kernel::tcb* next);
extern baton::kernel::kernel_state* baton_avr_kernel;
}

namespace baton {

/// Lets tasks enter the kernel on AVR by a function call. An interrupt that comes meanwhile leaves
/// `port::attention` raised, and the kernel tests it on the way out.
struct kernel_switch {
  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call(kernel::word first, kernel::word second, kernel::word out_length,
                                          kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r = {first, second, out_length, in, in_length, timeout};
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_out(kernel::word first, kernel::word second, kernel::word out_length) {
    kernel::request r;
    r.first = first;
    r.second = second;
    r.out_length = out_length;
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  template <kernel::call_number N>
  static BATON_INLINE kernel::answer call_in(kernel::word in, kernel::word in_length, tick timeout) {
    kernel::request r;
    r.in = in;
    r.in_length = in_length;
    r.timeout = timeout;
    enter<N>(r);
    return kernel::answer{r.first, r.second, r.out_length};
  }

  /// There is no default fault listener: a console takes memory that a task could use.
  static constexpr kernel::fault_listener say_fault = nullptr;

  static void run(kernel::kernel_state& m) { baton_avr_run(m); }

  /// Tells whether the kernel runs: bit 1 of GPIOR0, which one instruction sets, clears and tests.
  struct inside {
    static BATON_INLINE void set() { GPIOR0 |= 2; }
    static BATON_INLINE void clear() { GPIOR0 &= static_cast<uint8_t>(~2); }
    static BATON_INLINE bool is_set() { return GPIOR0 & 2; }
  };

 private:
  /// Enters the kernel, with one copy of the code per call.
  template <kernel::call_number N>
  static BATON_NOINLINE void enter(kernel::request& r) {
    inside::set();
    kernel::kernel_state& m = *baton_avr_kernel;
    kernel::tcb* self = m.running;
    baton_avr_leave(self, kernel::enter<N>(m, r));
  }
};

}  // namespace baton
