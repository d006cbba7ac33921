// SPDX-License-Identifier: MIT
#include <baton/port.hpp>

#if defined(__AVR__) && defined(GPIOR0) && defined(TIMSK0) && defined(OCIE0B) && defined(TIMER0_COMPB_vect)

extern "C" uint32_t baton_arduino_now() {
  return micros();
}

/// A look, because a due time may be near. `sbi` changes no register and no flag, so there is
/// nothing to save.
ISR(TIMER0_COMPB_vect, ISR_NAKED) {
  __asm__ volatile("sbi %0, 0\n\treti" ::"I"(_SFR_IO_ADDR(GPIOR0)));
}

/// Lets compare unit B interrupt in the middle of the wrap, or where `analogWrite` moves it. This
/// is part of the start-up code, with interrupts off; the Arduino core's init() only adds its own
/// bits to these registers. (avr-libc manual, "The .initN Sections")
__attribute__((section(".init7"), naked, used)) static void let_timer_interrupt() {
  OCR0B = 128;
  TIMSK0 = _BV(OCIE0B);
}

#endif
