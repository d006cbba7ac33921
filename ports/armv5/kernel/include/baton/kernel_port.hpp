// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/unprotected.hpp>

/// Puts an object where a reset leaves it alone. What it holds after power-on is unknown; it has
/// neither an initializer nor a constructor.
#define BATON_KEPT_MEMORY __attribute__((section(".kept")))

/// The port's inline functions call these functions of ports/armv5/kernel/src.
extern "C" {
void baton_armv5_copy(void* to, const void* from, uint32_t bytes);
void baton_armv5_kernel_alarm(uint32_t due);
void baton_armv5_window();
void baton_armv5_task_returns();
}

namespace baton {

/// Tasks on ARMv5 (ARM926EJ-S). They run in user mode, privileged ones in system mode, and the
/// kernel runs in supervisor mode. A call is a `swi`, and interrupts preempt.
///
/// Source   ARM Architecture Reference Manual (DDI 0100), A2.2 "Processor modes", A2.6 "Exceptions"
struct kernel_port : kernel::spi::unprotected {
  /// The first six registers of a call.
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  /// All registers, in the order of src/trap.S. A call saves the registers from `call` on, to which
  /// the supervisor's stack pointer points while the task runs; a switch saves the rest.
  struct context {
    kernel::word psr;
    kernel::word sp;
    kernel::word lr;
    request call;  // r0 to r5
    kernel::word r6_to_r12[7];
    kernel::word pc;
  };

  static constexpr bool guards_stacks = false;
  static constexpr kernel::word least_stack = 128;
  static constexpr kernel::word stack_alignment = 8;
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }

  /// Returns the number of the call that has saved its registers here.
  static kernel::word number_of(const request& r) { return reinterpret_cast<const kernel::word*>(&r)[12]; }

  static void prepare(context& c, const kernel::task_description& d) {
    const kernel::word entry = reinterpret_cast<kernel::word>(d.entry);
    c.psr = (d.is_privileged ? system_mode : user_mode) | ((entry & 1) ? thumb : 0);
    c.sp = reinterpret_cast<kernel::word>(d.stack) + d.stack_bytes / stack_alignment * stack_alignment;
    c.lr = reinterpret_cast<kernel::word>(&baton_armv5_task_returns);
    c.call.first = reinterpret_cast<kernel::word>(d.argument);
    c.pc = entry & ~kernel::word{1};
  }

  /// Copies one word directly, and more by eight words at a time where both ends are aligned.
  static BATON_INLINE void copy(void* to, const void* from, kernel::word bytes) {
    const kernel::word ends = reinterpret_cast<kernel::word>(to) | reinterpret_cast<kernel::word>(from);
    if (BATON_LIKELY(((bytes ^ sizeof(any_word)) | ends << 30) == 0)) {  // one comparison for: one word, and aligned
      *static_cast<any_word*>(to) = *static_cast<const any_word*>(from);
    } else {
      baton_armv5_copy(to, from, bytes);
    }
  }

  static constexpr bool masks_interrupts = true;
  static void window() { baton_armv5_window(); }

  static void alarm(tick due) { baton_armv5_kernel_alarm(due); }

 private:
  using any_word = kernel::word __attribute__((may_alias));

  // The values of PSR in each mode; interrupts are on.
  static constexpr kernel::word user_mode = 0x10;
  static constexpr kernel::word system_mode = 0x1f;
  static constexpr kernel::word thumb = 0x20;
};

}  // namespace baton
