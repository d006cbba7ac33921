// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_OPTIONS_H
#define BATON_SIMAVR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { max_sends = 1024, max_inputs = 1024, max_watches = 16 };

// Bytes for the receiver; the first of them comes at a simulated time.
struct send {
  uint64_t at_us;
  uint8_t* bytes;
  size_t count;
};

// The level of a pin from a simulated time on, or the millivolts at a channel of the ADC.
struct input {
  uint64_t at_us;
  char port;  // 'B' for PB3; 0 for a channel of the ADC
  unsigned number;
  unsigned value;
};

// A pin whose changes are reported, such as D2.
struct watch {
  char port;
  unsigned number;
  unsigned level;  // the last that was reported
};

// The options that the front end gives, as `key=value` arguments.
struct options {
  const char* program;           // program=FILE
  const char* mcu;               // mcu=NAME: the chip
  uint64_t hz;                   // hz=N: its clock
  uint64_t uart;                 // uart=N: the USART that is the console
  uint64_t baud;                 // baud=N: the rate of bytes that are sent to the program
  uint64_t limit_ms;             // limit=MS: limit of the simulated time
  uint64_t wall_s;               // wall=S: limit of the real time
  uint64_t lines;                // lines=N: stop after so many lines; 0: never
  uint64_t pty;                  // pty=1: the console is a pseudo-terminal
  uint64_t pace;                 // pace=1: the simulated time does not run ahead of the real time
  uint64_t until_us;             // until=US: play a script until then, and report times; 0: there is none
  struct send sends[max_sends];  // send=US:HEXADECIMAL
  size_t send_count;
  struct input inputs[max_inputs];  // input=US:B3=LEVEL, input=US:adc0=MILLIVOLTS
  size_t input_count;
  struct watch watches[max_watches];  // watch=B5
  size_t watch_count;
};

// Reads the arguments. Returns the first that is wrong, or null.
const char* options_parse(struct options* options, int argc, char** argv);

// Returns the cycle of a simulated time.
uint64_t options_cycle(const struct options* options, uint64_t at_us);

#endif
