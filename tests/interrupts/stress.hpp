// SPDX-License-Identifier: MIT
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

/// Makes interrupts at chosen distances, short ones exact to the cycle, from Timer0 (Timer1 is the
/// port's clock), and records the instructions that they hit.
///
/// Source   ATmega328P data sheet (DS40002061B), 8-bit Timer/Counter0 in normal mode.
namespace stress {

/// Returns the cycles from this interrupt to the next one, or 0 for never. The program defines it.
uint16_t distance();

/// Does the work of the interrupt. The program defines it.
void strike();

constexpr uint16_t words_watched = 2048;

/// One bit for each word of the program before which an interrupt came.
uint8_t touched[words_watched / 8];

volatile uint16_t interrupted_at;
volatile uint8_t turns_left;
volatile bool over;

/// Adds a few cycles to each distance while it is set, so that two sweeps reach the distances that
/// one leaves out.
bool shifted;

inline void arm_with(uint8_t clock_select, uint8_t compare, uint8_t turns) {
  TCCR0B = 0;
  TCNT0 = 0;
  OCR0A = compare;
  TIFR0 = _BV(OCF0A);  // clears a match that passed while the handler was late
  turns_left = turns;
  TCCR0B = clock_select;
}

constexpr uint16_t longest_exact = 1500;

/// The compare unit matches once per turn of the counter, so the turns before the wanted one are
/// counted down. A long distance is counted in steps of 64 cycles, so that only the next interrupt
/// wakes the device meanwhile.
inline void arm(uint16_t cycles) {
  if (cycles > longest_exact) {
    arm_with(_BV(CS01) | _BV(CS00), static_cast<uint8_t>(cycles >> 6), 0);
    return;
  }
  if (shifted) __asm__ volatile("nop\n\tnop\n\tnop");
  uint8_t low = static_cast<uint8_t>(cycles);
  if (low < 2) low = 2;  // a match right at the start does not happen
  arm_with(_BV(CS00), low, static_cast<uint8_t>(cycles >> 8));
}

inline void begin() {
  TCCR0A = 0;
  arm(2000);
  TIFR0 = _BV(OCF0A);
  TIMSK0 = _BV(OCIE0A);
}

}  // namespace stress

/// The handler, to which the vector jumps when the distance is over.
extern "C" __attribute__((signal, used, externally_visible)) void __vector_stress();
extern "C" void __vector_stress() {
  uint16_t cycles = stress::distance();
  if (cycles == 0) {
    TIMSK0 = 0;
    stress::over = true;
    return;
  }
  stress::arm(cycles);
  uint16_t at = stress::interrupted_at;
  if (at < stress::words_watched) stress::touched[at >> 3] |= static_cast<uint8_t>(1 << (at & 7));
  stress::strike();
}

/// Counts a turn of the counter, or notes the return address and goes on as if the interrupt had
/// come there. The code is written by hand, so that a turn takes 22 cycles and the coroutines have
/// the rest.
ISR(TIMER0_COMPA_vect, ISR_NAKED) {
  __asm__ volatile(
      "push r24\n\tin r24, __SREG__\n\tpush r24\n\t"
      "lds r24, %1\n\tsubi r24, 1\n\tbrcs 1f\n\tsts %1, r24\n\t"
      "pop r24\n\tout __SREG__, r24\n\tpop r24\n\treti\n"
      "1:\n\tpush r30\n\tpush r31\n\t"
      "in r30, __SP_L__\n\tin r31, __SP_H__\n\t"
      "ldd r24, Z+5\n\tsts %0+1, r24\n\t"
      "ldd r24, Z+6\n\tsts %0, r24\n\t"
      "pop r31\n\tpop r30\n\t"
      "pop r24\n\tout __SREG__, r24\n\tpop r24\n\t"
      "jmp %x2" ::"i"(&stress::interrupted_at),
      "i"(&stress::turns_left), "i"(&__vector_stress));
}
