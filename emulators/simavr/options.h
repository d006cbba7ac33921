// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_OPTIONS_H
#define BATON_SIMAVR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { max_sends = 64 };

// Bytes for the receiver, the first of them at a simulated time.
struct send {
  uint64_t at_ms;
  uint8_t* bytes;
  size_t count;
};

struct options {
  const char* firmware;
  const char* mcu;
  uint32_t hz;
  unsigned uart;
  uint32_t baud;      // of what is sent to the program
  uint64_t limit_ms;  // simulated
  unsigned wall_s;    // real
  uint64_t lines;     // stop after so many; 0: never
  bool pty;           // the console is a pseudo-terminal
  struct send sends[max_sends];
  size_t send_count;
};

// Fills `options`; where the command line does not fit, says why on standard error and returns false.
bool options_parse(struct options* options, int argc, char** argv);

#endif
