// SPDX-License-Identifier: MIT
//
// The common part of the small programs of runner_test.py. CONSOLE is the USART's number.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NOINLINE __attribute__((noinline))
#define UDR JOIN(UDR, CONSOLE, )
#define UCSRA JOIN(UCSR, CONSOLE, A)
#define UCSRB JOIN(UCSR, CONSOLE, B)
#define UBRR JOIN(UBRR, CONSOLE, )

static inline void open_console(void) {
  UCSRA = 1 << 1;  // double speed: 115200
  UBRR = 16;
  UCSRB = 1 << 3 | 1 << 4;  // send and receive
}

static inline void put(uint8_t c) {
  while (!(UCSRA & 1 << 5)) {
  }
  UDR = c;
}

static inline void print(const char* text) {
  while (*text) put((uint8_t)*text++);
}

static inline uint8_t get(void) {
  while (!(UCSRA & 1 << 7)) {
  }
  return UDR;
}

static inline void leave(uint8_t code) {
  GPIOR2 = code;
  for (;;) {
  }
}

// Measures an interval around assembly.
#define MARKED(instructions)                                                                      \
  __asm__ volatile("ldi r24, 1\n out 0x2a, r24\n" instructions "\n ldi r24, 2\n out 0x2a, r24" :: \
                       : "r24", "r25", "memory")
