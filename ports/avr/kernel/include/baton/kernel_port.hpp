// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/interruptible.hpp>
#include <baton/kernel/spi/unprotected.hpp>

/// A task begins here: ports/avr/kernel/src/switch.cpp. Do not call it from C++.
extern "C" void baton_avr_begin();

namespace baton {

/// Tasks on megaAVR devices with at least 2 KB of RAM. A call of the kernel is a function call on
/// the task's own stack. Interrupts stay on during the call; they preempt only outside of it.
///
/// Context  the port owns compare unit B of Timer1, and bit 1 of GPIOR0, which is set while the
///          kernel runs.
/// Source   AVR-GCC ABI: a function keeps r2 to r17, r28 and r29.
struct kernel_port : kernel::spi::unprotected, kernel::spi::interruptible {
  struct request {
    kernel::word first;
    kernel::word second;
    kernel::word out_length;
    kernel::word in;
    kernel::word in_length;
    tick timeout;
  };

  /// The stack pointer of a task; its other registers lie on the stack.
  struct context {
    uint8_t* stack;
  };

  static constexpr bool guards_stacks = false;
  static constexpr kernel::word least_stack = 128;
  static constexpr kernel::word stack_alignment = 1;
  static constexpr kernel::word alignment_of_stack(kernel::word) { return stack_alignment; }
  static constexpr bool is_stack_size(kernel::word bytes) { return bytes % sizeof(uint32_t) == 0; }

  /// Prepares a stack from which r29 is popped first and the return address last. `baton_avr_begin`
  /// finds the entry in r2 and r3, and its argument in r4 and r5.
  static void prepare(context& c, const kernel::task_description& d) {
    const uint16_t begin = reinterpret_cast<uint16_t>(&baton_avr_begin);
    const uint16_t entry = reinterpret_cast<uint16_t>(d.entry);
    const uint16_t argument = reinterpret_cast<uint16_t>(d.argument);
    uint8_t* top = static_cast<uint8_t*>(d.stack) + d.stack_bytes - 1;
    *top-- = static_cast<uint8_t>(begin);
    *top-- = static_cast<uint8_t>(begin >> 8);
    *top-- = static_cast<uint8_t>(entry);
    *top-- = static_cast<uint8_t>(entry >> 8);
    *top-- = static_cast<uint8_t>(argument);
    *top-- = static_cast<uint8_t>(argument >> 8);
    c.stack = top - (kept_registers - 4);
  }

  static void copy(void* to, const void* from, kernel::word bytes) { __builtin_memcpy(to, from, bytes); }

  /// Sets an alarm that comes up to once per wrap of the timer too early, and then costs a reading
  /// of the clock.
  static void alarm(tick due) {
    port::critical mask;
    OCR1B = static_cast<uint16_t>(due);
  }

 private:
  static constexpr uint8_t kept_registers = 18;
};

}  // namespace baton
