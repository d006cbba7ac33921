// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <stdint.h>

namespace baton {
namespace board {

/// The console's receiver as an interrupt, through the platform-level interrupt controller (PLIC).
///
/// Shape    one handler per program.
/// Context  the handler runs in the receive interrupt, with interrupts off: let it store the byte
///          and set an `isr_signal`. The UART holds 16 bytes; a handler that is late by more loses
///          the rest.
/// Cost     an indirect call: the interrupt saves every register that a call may change.
/// Source   RISC-V Platform-Level Interrupt Controller Specification, 1.0.0; QEMU 7.2,
///          hw/riscv/virt.c (addresses, numbers)
struct serial_in {
  /// Calls `on_byte` for each byte from now on. Bytes arrive once interrupts are on; `start()`
  /// turns them on.
  static void listen(void (*on_byte)(uint8_t)) {
    handler() = on_byte;
    detail::uart::listen();
    plic(priority + 4 * uart_interrupt) = 1;
    plic(enabled) = 1u << uart_interrupt;
    plic(threshold) = 0;
    __asm__ volatile("csrs mie, %0" ::"r"(external_interrupt) : "memory");
  }

  static void on_interrupt() {
    const uint32_t number = plic(claim);
    while (detail::uart::has_byte()) handler()(detail::uart::take());
    plic(claim) = number;
  }

 private:
  enum : uint32_t {
    priority = 0,
    enabled = 0x2000,
    threshold = 0x200000,
    claim = 0x200004
  };  // registers, of hart 0 in machine mode
  static constexpr uint32_t uart_interrupt = 10;
  static constexpr uint32_t external_interrupt = 1u << 11;  // bit of mie

  static volatile uint32_t& plic(uint32_t offset) { return *reinterpret_cast<volatile uint32_t*>(0x0c000000 + offset); }
  static void (*&handler())(uint8_t) {
    static void (*on_byte)(uint8_t);
    return on_byte;
  }
};

}  // namespace board
}  // namespace baton

// The handler stands here and not in a library, so that it exists only in programs that receive.
// Exactly one source file of such a program includes this header.
extern "C" __attribute__((interrupt, used, externally_visible)) void baton_uart_handler() {
  baton::board::serial_in::on_interrupt();
}
