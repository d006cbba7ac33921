// SPDX-License-Identifier: MIT
//
// Implements the clock. TIMER0 counts microseconds in 32 bits. One channel captures the time, two
// compare it with core's alarm and with the kernel's.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

// The tasks, events and registers, by their offset in the timer.
enum : uint16_t {
  task_start = 0x000,
  task_capture = 0x040,
  event_alarm = 0x144,
  event_kernel_alarm = 0x148,
  enable_interrupts = 0x304
};
enum : uint16_t { width = 0x508, prescaler = 0x510, captured = 0x540, alarm = 0x544, kernel_alarm = 0x548 };
constexpr uint32_t alarm_interrupts = 1u << 17, kernel_alarm_interrupts = 1u << 18;
constexpr uint32_t bits_32 = 3;
constexpr uint32_t divided_by_16 = 4;  // as a power of two: 16 MHz to 1

volatile uint32_t& timer(uint16_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(0x40008000 + offset);
}
volatile uint32_t& enable_interrupt() {
  return *reinterpret_cast<volatile uint32_t*>(0xE000E100);
}

/// Runs before main, so that a program without this file leaves the timer alone.
__attribute__((constructor)) void start() {
  timer(width) = bits_32;
  timer(prescaler) = divided_by_16;
  timer(enable_interrupts) = alarm_interrupts;
  timer(task_start) = 1;
  enable_interrupt() = 1u << 8;
}

}  // namespace

extern "C" {

uint32_t baton_cortex_m_now() {
  const baton::port::critical mask;  // a reading by an interrupt would replace this one
  timer(task_capture) = 1;
  return timer(captured);
}

/// A time that is past interrupts only after a whole round; the caller reads the clock after it has
/// set the alarm. The event of the earlier alarm is cleared first, because an event that comes at
/// once would be lost if it were cleared later.
void baton_cortex_m_alarm(uint32_t due) {
  timer(event_alarm) = 0;
  timer(alarm) = due;
}

/// A time that is past raises attention at once.
void baton_cortex_m_kernel_alarm(uint32_t due) {
  timer(event_kernel_alarm) = 0;
  timer(kernel_alarm) = due;
  timer(enable_interrupts) = kernel_alarm_interrupts;
  if (static_cast<int32_t>(baton_cortex_m_now() - due) >= 0) baton::port::attention::raise(), baton_kernel_pend();
}

__attribute__((used, externally_visible)) void baton_clock_handler() {
  timer(event_alarm) = 0;
  timer(event_kernel_alarm) = 0;
  baton::port::attention::raise();
  if (baton_kernel_pend) baton_kernel_pend();
}

}  // extern "C"
