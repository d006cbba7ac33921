// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <baton/avr/marks_meter.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace board {

namespace detail {

/// The readings at the start and the end of the last interval.
template <typename = void>
struct timer_readings {
  static uint32_t coarse_start, coarse_stop;
  static uint8_t fine_start, fine_stop;
};
template <typename Unused>
uint32_t timer_readings<Unused>::coarse_start;
template <typename Unused>
uint32_t timer_readings<Unused>::coarse_stop;
template <typename Unused>
uint8_t timer_readings<Unused>::fine_start;
template <typename Unused>
uint8_t timer_readings<Unused>::fine_stop;

/// Returns the number nearest to `coarse` that ends in the byte `fine`.
constexpr uint32_t nearest_that_ends_in(uint8_t fine, uint32_t coarse) {
  return coarse + static_cast<uint32_t>(static_cast<int8_t>(fine - static_cast<uint8_t>(coarse)));
}
static_assert(nearest_that_ends_in(0x02, 0x1fe) == 0x202 && nearest_that_ends_in(0xfe, 0x202) == 0x1fe, "");

}  // namespace detail

/// Counts the cycles of an interval with the chip's own timers, as a real board has to.
///
/// Shape    Timer0 counts every cycle, modulo 256, and is read in one instruction at each end. The
///          clock, Timer1, counts every eighth cycle and selects the multiple of 256: it is read
///          before the start and after the stop, and may be up to 128 cycles off.
/// Units    cycles, exact; an empty interval is 0. An interval takes up to 268 s at 16 MHz.
/// Context  as avr_marks_meter. The meter owns Timer0, and needs the clock: a program without a
///          clock gets one, whose interrupts take some 40 cycles every 32.8 ms. `settle()` keeps
///          them out of intervals shorter than that.
/// Cost     one `in` per reading inside of the interval, and more outside of it.
/// Source   ATmega328P data sheet (DS40002061B), 8-bit Timer/Counter0; the ATmega32U4 has the same
///          timer.
struct avr_timer_meter {
  static constexpr bool always_counts = true;
  static constexpr bool counts_memory = false;
  static constexpr bool counts() { return false; }
  static constexpr const char* unit() { return "cycles"; }
  static constexpr const char* valid() { return "measured"; }

  static void settle() {
    TCCR0A = 0;
    TCCR0B = _BV(CS00);
    avr_marks_meter::settle();
  }

  static inline __attribute__((always_inline)) void start() {
    readings::coarse_start = port::now();
    uint8_t scratch;
    __asm__ volatile("in %0, %1\n\tsts %2, %0"
                     : "=r"(scratch)
                     : "I"(_SFR_IO_ADDR(TCNT0)), "i"(&readings::fine_start)
                     : "memory");
  }
  static inline __attribute__((always_inline)) void stop() {
    uint8_t fine;
    __asm__ volatile("in %0, %1" : "=r"(fine) : "I"(_SFR_IO_ADDR(TCNT0)) : "memory");
    readings::fine_stop = fine;
    readings::coarse_stop = port::now();
  }

  /// Length of the last interval. The harness prints figures instead of `key=#K` for a meter that
  /// has this function.
  static uint32_t elapsed_cycles() {
    const uint32_t ticks = readings::coarse_stop - readings::coarse_start;
    const uint8_t fine = static_cast<uint8_t>(readings::fine_stop - readings::fine_start - empty_interval_cycles);
    return detail::nearest_that_ends_in(fine, ticks * cycles_per_tick - around_interval_cycles);
  }
  static constexpr uint64_t elapsed_ns() { return 0; }

 private:
  using readings = detail::timer_readings<>;

  static constexpr uint32_t cycles_per_tick = F_CPU / port::ticks_per_second;
  static constexpr uint8_t empty_interval_cycles = 3;     // the `in` and the `sts` of start()
  static constexpr uint32_t around_interval_cycles = 48;  // roughly, from one reading of the clock to the other
};

}  // namespace board
}  // namespace baton
