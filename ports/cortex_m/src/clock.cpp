// SPDX-License-Identifier: MIT
//
// Implements the clock. SysTick counts down from a period that this file chooses, and interrupts at
// its end. The period after it is always the longest, so that no end is missed however late the
// interrupt is.
#include <baton/port.hpp>
#include <stdint.h>

namespace {

constexpr uint32_t cycles_per_us = BATON_CPU_HZ / 1000000;
static_assert(BATON_CPU_HZ % 1000000 == 0, "BATON_CPU_HZ must be a multiple of 1 MHz: a tick is a microsecond");

constexpr uint32_t longest_period = 1u << 24;
constexpr uint32_t restart_cycles = 5;  // from the reading of the counter to its restart

struct systick {
  volatile uint32_t control;
  volatile uint32_t reload;
  volatile uint32_t value;
};
systick& timer() {
  return *reinterpret_cast<systick*>(0xE000E010);
}
volatile uint32_t& interrupt_control() {
  return *reinterpret_cast<volatile uint32_t*>(0xE000ED04);
}
constexpr uint32_t pending = 1u << 26;
constexpr uint32_t clear_pending = 1u << 25;

/// Time at the start of the running period: whole microseconds, and the rest in cycles.
uint32_t start_us;
uint32_t start_cycles;
uint32_t period = longest_period;

/// Reads the counter, and again while it is zero: a period has then just ended, and only the next
/// cycle tells whether its end is pending already.
uint32_t counted_down() {
  uint32_t value;
  do {
    value = timer().value;
  } while (value == 0);
  return value;
}

/// Returns the cycles since the start of the running period, including an end that is pending.
uint32_t elapsed() {
  uint32_t value = counted_down();
  if (!(interrupt_control() & pending)) return period - value;
  value = counted_down();
  return period + longest_period - value;
}

#ifdef __ARM_ARCH_6M__

constexpr uint32_t powers_of_two(uint32_t n) {
  return n & 1 ? 0 : 1 + powers_of_two(n >> 1);
}
constexpr uint32_t shift = powers_of_two(cycles_per_us);
constexpr uint32_t odd_part = cycles_per_us >> shift;
constexpr uint32_t reciprocal = (1u << 16) / odd_part;

/// Converts cycles to microseconds. ARMv6-M has no division and no product of 64 bits, and the
/// library's division takes ten times as long as this: a reciprocal of 16 bits gives most of the
/// quotient, then most of that of the remainder, and the loop subtracts the rest one by one.
uint32_t to_us(uint32_t cycles) {
  const uint32_t n = cycles >> shift;
  if (odd_part == 1) return n;
  uint32_t us = (n >> 16) * reciprocal + ((n & 0xffff) * reciprocal >> 16);
  uint32_t rest = n - us * odd_part;
  const uint32_t more = rest * reciprocal >> 16;
  us += more;
  for (rest -= more * odd_part; rest >= odd_part; rest -= odd_part) ++us;
  return us;
}

#else

uint32_t to_us(uint32_t cycles) {
  return cycles / cycles_per_us;
}

#endif

void pass(uint32_t cycles) {
  cycles += start_cycles;
  const uint32_t us = to_us(cycles);
  start_us += us;
  start_cycles = cycles - us * cycles_per_us;
}

/// Starts a period of `cycles` at this moment. A value that is written to `reload` counts from the
/// next start on, so the function waits for this start. It writes none before it has read the
/// counter: the running period may end meanwhile, and the next one has to be the longest.
void restart(uint32_t cycles) {
  const uint32_t passed = elapsed();
  timer().reload = cycles - 1;
  timer().value = 0;
  interrupt_control() = clear_pending;
  counted_down();
  timer().reload = longest_period - 1;
  pass(passed + restart_cycles);
  period = cycles;
}

struct masked {
  masked() { __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory"); }
  ~masked() { __asm__ volatile("msr primask, %0" ::"r"(primask) : "memory"); }
  uint32_t primask;
};

/// Runs before main, so that a program without this file leaves SysTick alone.
__attribute__((constructor)) void start() {
  timer().reload = longest_period - 1;
  timer().value = 0;
  timer().control = 7;  // counts processor cycles, interrupts, runs
}

}  // namespace

extern "C" {

uint32_t baton_cortex_m_now() {
  const masked mask;
  return start_us + to_us(start_cycles + elapsed());
}

void baton_cortex_m_alarm(uint32_t due) {
  const masked mask;
  const uint32_t passed = elapsed();
  const uint32_t ahead = due - start_us - to_us(start_cycles + passed);
  if (ahead - 1 >= longest_period / cycles_per_us) return;  // past, or after the end of any period
  const uint32_t cycles = ahead * cycles_per_us;
  if (passed + cycles < period) restart(cycles);
}

/// Core's alarm and the kernel's may be one: the alarm that is set last does not replace one that
/// comes first, and both are set anew whenever attention is raised. A time that is past raises it
/// at once.
void baton_cortex_m_kernel_alarm(uint32_t due) {
  baton_cortex_m_alarm(due);
  if (static_cast<int32_t>(baton_cortex_m_now() - due) >= 0) baton::port::attention::raise(), baton_kernel_pend();
}

__attribute__((used, externally_visible)) void SysTick_Handler() {
  const masked mask;
  pass(period);
  period = longest_period;
  baton::port::attention::raise();
  if (baton_kernel_pend) baton_kernel_pend();
}

}  // extern "C"
