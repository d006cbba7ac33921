// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/same_macros.hpp>
#ifdef BATON_PRIVATE_MEMORY
#include <baton/riscv32_tasks/protection.hpp>
#else
#include <baton/kernel/spi/unprotected.hpp>
#endif

/// Puts an object where a reset leaves it alone. What it holds after power-on is unknown; it has
/// neither an initializer nor a constructor.
#define BATON_KEPT_MEMORY __attribute__((section(".kept")))

/// The port's inline functions call these functions of ports/riscv32/kernel/src.
extern "C" {
void baton_riscv32_kernel_alarm(uint32_t due);
void baton_riscv32_task_returns();
}

namespace baton {

#ifdef BATON_PRIVATE_MEMORY
using memory_of_riscv32_tasks = riscv32_tasks::protecting;
#else
struct memory_of_riscv32_tasks : kernel::spi::unprotected {
  static constexpr kernel::word alignment_of_stack(kernel::word) { return 16; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % 16 == 0; }
};
#endif

/// Tasks on RV32. They run in user mode; privileged ones run in machine mode, as the kernel does. A
/// call is an `ecall`, and interrupts preempt.
///
/// Context  in a program with BATON_PRIVATE_MEMORY, a task without privileges reads code and
///          constants, touches its own stack, and besides, if it is not private, ordinary variables
///          and devices; nothing else. In other programs nothing is protected.
/// Source   RISC-V Privileged Architectures, version 20211203, 3.1.6 (mstatus), 3.1.7 (mtvec),
///          3.3.2 (mret), 3.7 (physical memory protection, which allows user mode nothing until it
///          is configured).
struct kernel_port : memory_of_riscv32_tasks {
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  /// The registers, in the order of src/trap.S. The caller saves the registers that a call may
  /// change, so a call saves those that come before `has_all`, and an interrupt saves all. gp and
  /// tp are the same in every task.
  struct context {
    request call;
    kernel::word s0;
    kernel::word sp;
    kernel::word pc;
    kernel::word mstatus;
    kernel::word has_all;
    kernel::word others[21];
#ifdef BATON_PRIVATE_MEMORY
    riscv32_tasks::rights rights;
#endif
  };

  static constexpr bool guards_stacks = false;
  static constexpr kernel::word least_stack = 128;
  static constexpr kernel::word stack_alignment = 16;

  /// Returns the number of a call that has no entry of its own in src/trap.S.
  static kernel::word number_of(const request& r) {
#ifdef BATON_PRIVATE_MEMORY
    const kernel::word t1 = reinterpret_cast<const context*>(&r)->others[2];
    return t1 >> 2 | t1 << 30;  // no number of a call unless it is a multiple of 4
#else
    return reinterpret_cast<const context*>(&r)->others[2] / 4;  // t1
#endif
  }

  static void prepare(context& c, const kernel::task_description& d) {
#ifdef BATON_PRIVATE_MEMORY
    c = context{};  // the registers were those of the last task in the slot
    c.rights.begin(d);
#endif
    c.sp = reinterpret_cast<kernel::word>(d.stack) + d.stack_bytes / stack_alignment * stack_alignment;
    c.pc = reinterpret_cast<kernel::word>(d.entry);
    c.mstatus = d.is_privileged ? interrupts_on | machine_mode : interrupts_on;
    c.has_all = 1;
    c.others[0] = reinterpret_cast<kernel::word>(&baton_riscv32_task_returns);
    c.call.first = reinterpret_cast<kernel::word>(d.argument);
  }

  /// Copies one word directly, and more by words where both ends are aligned. The copying function
  /// changes few registers, so that its callers need not save those that they use otherwise.
  static BATON_INLINE void copy(void* to, const void* from, kernel::word bytes) {
    const kernel::word ends = reinterpret_cast<kernel::word>(to) | reinterpret_cast<kernel::word>(from);
    if (BATON_LIKELY(((bytes ^ sizeof(any_word)) | ends << 30) == 0)) {  // one comparison for: one word, and aligned
      *static_cast<any_word*>(to) = *static_cast<const any_word*>(from);
    } else {
      register void* a0 __asm__("a0") = to;
      register const void* a1 __asm__("a1") = from;
      register kernel::word a2 __asm__("a2") = bytes;
      __asm__ volatile("call t4, baton_riscv32_copy"
                       : "+r"(a0), "+r"(a1), "+r"(a2)::"t0", "t1", "t2", "t3", "t4", "memory");
    }
  }

  static constexpr bool masks_interrupts = true;
  static void window() { __asm__ volatile("call t4, baton_riscv32_window" ::: "t0", "t1", "t2", "t4", "memory"); }

  static void alarm(tick due) { baton_riscv32_kernel_alarm(due); }

 private:
  using any_word = kernel::word __attribute__((may_alias));

  // Values of mstatus: MPIE, so that interrupts are on when the task runs, and the task's mode.
  static constexpr kernel::word interrupts_on = 1u << 7;
  static constexpr kernel::word machine_mode = 3u << 11;
};

}  // namespace baton
