// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/same_macros.hpp>
#ifdef BATON_PRIVATE_MEMORY
#include <baton/armv5_tasks/memory.hpp>
#else
#include <baton/kernel/spi/unprotected.hpp>
#endif

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
/// Context  in a program that is compiled with BATON_PRIVATE_MEMORY, a private task touches its
///          piece, code and constants, and what its description names; see
///          <baton/armv5_tasks/memory.hpp>. Any other task touches all memory.
/// Source   ARM Architecture Reference Manual (DDI 0100), A2.2 "Processor modes", A2.6 "Exceptions"
struct kernel_port
#ifndef BATON_PRIVATE_MEMORY
    : kernel::spi::unprotected
#endif
{
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
#ifdef BATON_PRIVATE_MEMORY
  struct alignas(32) context {  // a slot of the table is found by two additions
    kernel::word domains = 0;   // the value of the MMU's register while the task runs
#else
  struct context {
#endif
    kernel::word psr;
    kernel::word sp;
    kernel::word lr;
    request call;  // r0 to r5
    kernel::word r6_to_r12[7];
    kernel::word pc;
#ifdef BATON_PRIVATE_MEMORY
    kernel::word own = 0;  // its stack, which begins the piece of a private task
    armv5_tasks::memory_window shared;
    armv5_tasks::memory_window device;
    bool is_private() const { return domains != armv5_tasks::all_domains; }
#endif
  };

  static constexpr bool guards_stacks = false;
  static constexpr kernel::word least_stack = 128;
  static constexpr kernel::word stack_alignment = 8;
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % stack_alignment == 0; }

  /// Returns the number of the call that has saved its registers here.
  static kernel::word number_of(const request& r) { return reinterpret_cast<const kernel::word*>(&r)[12]; }

#ifdef BATON_PRIVATE_MEMORY
  static constexpr bool protects_memory = true;
  static constexpr kernel::word alignment_of_piece(kernel::word) { return armv5_tasks::piece_bytes; }

  /// True if the MMU finds an overflow of this task's stack.
  static bool guards_stack_of(const context& c) { return c.is_private(); }

  static BATON_INLINE bool may_access(const context& c, const void* p, kernel::word bytes, bool writes) {
    const kernel::word address = reinterpret_cast<kernel::word>(p);
    return BATON_LIKELY(armv5_tasks::is_in_piece(c.own, address, bytes)) ||
           may_access_elsewhere(c, address, bytes, writes);
  }

  static bool may_be_stack(const void* p, kernel::word bytes) {
    using namespace armv5_tasks;
    return memory_window(address_of(__tasks_start), address_of(__tasks_end)).holds(address_of(p), bytes);
  }
  static bool is_program(void (*entry)(void*), const char* name) {
    return armv5_tasks::constants().holds(reinterpret_cast<kernel::word>(entry)) &&
           (!name || armv5_tasks::constants().holds_name(name));
  }

  static bool is_reach(const kernel::reach& r) {
    return !r.is_private || (armv5_tasks::is_shared_piece(r.shared) && armv5_tasks::is_device(r.device));
  }
  static bool may_give(const context& maker, const kernel::reach& r) {
    if (!maker.is_private()) return true;
    return r.is_private && has(maker.shared, r.shared) && has(maker.device, r.device);
  }
  static kernel::error why_not(const kernel::task_description& d) {
    if (!d.touches.is_private || d.is_privileged) return kernel::error::none;
    const kernel::word stack = armv5_tasks::address_of(d.stack);
    if (!armv5_tasks::is_piece(stack) || d.stack_bytes > armv5_tasks::piece_bytes) return kernel::error::bad_stack;
    return armv5_tasks::have_domains(stack, d.touches.shared) ? kernel::error::none : kernel::error::table_full;
  }

  /// The address at which the running private task finds a register of its device.
  static kernel::word private_register(kernel::word address) {
    kernel::word in_stack;
    __asm__("mov %0, sp" : "=r"(in_stack));
    const kernel::word piece = in_stack / armv5_tasks::piece_bytes * armv5_tasks::piece_bytes;
    return armv5_tasks::devices + piece + address % armv5_tasks::piece_bytes;
  }
#endif

  static void prepare(context& c, const kernel::task_description& d) {
#ifdef BATON_PRIVATE_MEMORY
    set_reach(c, d);
#endif
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
#ifdef BATON_PRIVATE_MEMORY
  static bool has(const armv5_tasks::memory_window& maker, const kernel::memory_piece& p) {
    return p.bytes == 0 || maker.holds(armv5_tasks::address_of(p.start), p.bytes);
  }

  /// Allows a task that is not private everything but null.
  static BATON_NOINLINE bool may_access_elsewhere(const context& c, kernel::word address, kernel::word bytes,
                                                  bool writes) {
    if (bytes == 0) return true;
    if (bytes > kernel::longest_message) return false;
    if (!c.is_private()) return armv5_tasks::memory_window(1, 0).holds(address, bytes);
    return c.shared.holds(address, bytes) || (!writes && armv5_tasks::constants().holds(address, bytes)) ||
           armv5_tasks::memory_window(c.own, c.own + armv5_tasks::piece_bytes).holds(address, bytes);
  }

  static void set_reach(context& c, const kernel::task_description& d) {
    const kernel::word stack = armv5_tasks::address_of(d.stack);
    c = context();  // the registers were those of the last task in the slot
    c.own = stack;
    c.domains = armv5_tasks::all_domains;
    if (!d.touches.is_private || d.is_privileged) return;
    c.shared = armv5_tasks::window_of(d.touches.shared);
    c.device = armv5_tasks::window_of(d.touches.device);
    c.domains = armv5_tasks::open_pieces(c.domains, stack, d.touches);
  }
#endif

  using any_word = kernel::word __attribute__((may_alias));

  // The values of PSR in each mode; interrupts are on.
  static constexpr kernel::word user_mode = 0x10;
  static constexpr kernel::word system_mode = 0x1f;
  static constexpr kernel::word thumb = 0x20;
};

}  // namespace baton
