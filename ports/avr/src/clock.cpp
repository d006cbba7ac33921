// SPDX-License-Identifier: MIT
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

/// The number of wraps of Timer1: the high half of the clock.
static volatile uint16_t wraps;

/// Reads the clock into r22..r25. A pending overflow that is not counted yet belongs to the reading
/// if the counter has started over.
extern "C" __attribute__((naked, used, externally_visible)) void baton_avr_now() {
  __asm__ volatile(
      "in __tmp_reg__, __SREG__\n\t"
      "cli\n\t"
      "lds r22, %0\n\t"
      "lds r23, %0+1\n\t"
      "lds r24, %1\n\t"
      "lds r25, %1+1\n\t"
      "sbis %2, %3\n\t"
      "rjmp 1f\n\t"
      "sbrs r23, 7\n\t"
      "adiw r24, 1\n\t"
      "1: out __SREG__, __tmp_reg__\n\t"
      "ret" ::"i"(&TCNT1),
      "i"(&wraps), "I"(_SFR_IO_ADDR(TIFR1)), "I"(TOV1));
}

/// Counts the wraps of Timer1. The code is written by hand in 30 cycles, because the compiler saves
/// registers that it does not need.
ISR(TIMER1_OVF_vect, ISR_NAKED) {
  __asm__ volatile(
      "push r24\n\t"
      "in r24, __SREG__\n\t"
      "push r24\n\t"
      "lds r24, %0\n\t"
      "subi r24, 0xff\n\t"
      "sts %0, r24\n\t"
      "lds r24, %0+1\n\t"
      "sbci r24, 0xff\n\t"
      "sts %0+1, r24\n\t"
      "pop r24\n\t"
      "out __SREG__, r24\n\t"
      "pop r24\n\t"
      "reti" ::"i"(&wraps));
}

/// Interrupts when the due time may have come. `sbi` changes no register and no flag, so there is
/// nothing to save.
ISR(TIMER1_COMPA_vect, ISR_NAKED) {
  __asm__ volatile("sbi %0, 0\n\treti" ::"I"(_SFR_IO_ADDR(GPIOR0)));
}

/// Lets Timer1 interrupt. The function stands in this file, because in a program without this file
/// the timer's vectors lead to a reset. This is part of the start-up code, with interrupts off.
/// (avr-libc manual, "The .initN Sections")
__attribute__((section(".init7"), naked, used)) static void let_timer_interrupt() {
  __asm__ volatile("ldi r24, %0\n\tsts %1, r24" ::"M"(_BV(TOIE1) | _BV(OCIE1A)), "i"(&TIMSK1));
}
