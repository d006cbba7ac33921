// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_OPTIONS_H
#define BATON_QEMU_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing.h"

enum { max_sends = 1024, max_inputs = 1024, max_watches = 16, max_ranges = 16 };

// The processors whose masking of interrupts masks.c knows.
enum masks { masks_of_none, masks_of_arm, masks_of_thumb, masks_of_riscv };

// Addresses from `low` up to, but without, `high`.
struct range {
  uint64_t low, high;
};

// Bytes for the console's receiver; the first of them comes at a virtual time.
struct send {
  uint64_t at_us;
  size_t of_timer;
  uint8_t* bytes;
  size_t count;
};

// The level of a pin from a virtual time on. `path` is the interrupt line by which QEMU's device
// receives it, as `info qom-tree` has it.
struct input {
  uint64_t at_us;
  size_t of_timer;
  const char* path;
  int level;
};

// A bit of a device's register that shows a pin's level.
struct watch {
  uint64_t address;
  unsigned bit;
};

// The options that the runner gives the plugin, as `key=value` arguments.
struct options {
  int socket;      // socket=N: a file descriptor; messages to the runner, a byte back for each
  int counters;    // counters=N: a file descriptor; struct counters, shared with the runner
  uint64_t start;  // start=ADDRESS stop=ADDRESS: the marks; 0: the program has none
  uint64_t stop;
  bool is_movable;  // base=ADDRESS: the program was linked to begin there, and may be loaded elsewhere
  uint64_t base;
  struct range stack;              // stack=LOW:HIGH: watch the stack; empty: do not
  uint64_t steps;                  // steps=1: wait for the runner after each write to a device, or system call
  uint64_t limit_ms;               // limit=MS: limit of the time awake; 0: none
  uint64_t instruction_ns;         // instruction=NS: time per instruction
  uint64_t byte_ns;                // byte=NS: virtual time between two bytes that are sent
  struct range codes[max_ranges];  // code=LOW:HIGH: place of the instructions; none: anywhere
  size_t code_count;
  bool is_timed;  // timing=KEY:CYCLES/KEY:CYCLES...: estimate cycles by these figures of the core
  struct timing timing;
  enum masks masks;                // masks=arm, thumb or riscv: count runs with interrupts masked
  struct range traps[max_ranges];  // trap=LOW:HIGH: the vectors, where the processor has masked them (riscv)
  size_t trap_count;
  uint64_t caches;               // caches=1: model an ARM920T's caches, too
  struct send sends[max_sends];  // send=US:HEXADECIMAL
  size_t send_count;
  struct input inputs[max_inputs];  // input=US:PATH=LEVEL
  size_t input_count;
  struct watch watches[max_watches];  // watch=ADDRESS:BIT
  size_t watch_count;
  uint64_t until_us;  // until=US: report the end of a script then; 0: there is none
};

// Reads the arguments. If one is wrong, reports it on standard error and returns false.
bool options_parse(struct options* options, int argc, char** argv);

#endif
