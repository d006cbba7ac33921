// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_TIMING_H
#define BATON_QEMU_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Approximate cycles of an Arm core: an instruction is decoded into a step once, and each execution
// of a step costs what the core's manual says of its class. The figures of the cores are in
// emulators/timings.toml, which describes each key.

// The figures of a core, in cycles.
struct timing {
  uint8_t load, store, store_indexed;
  uint8_t multiple, multiple_each, multiple_least;
  uint8_t refill, refill_load, call, jump;
  uint8_t multiply, accumulate, long_multiply, long_accumulate, divide;
  uint8_t status_read, status_write, barrier, shift_by_register, exception;
  uint8_t interlock, interlock_narrow;
  uint8_t pipelined;  // 1: a load or store right after a load takes one cycle less
  uint8_t wait;       // wait states of the flash: for the first instruction elsewhere, and for each data access there
  uint8_t arm_state;  // 1: the instructions are A32, not Thumb
};

// An instruction, as its timing sees it.
struct step {
  uint8_t cycles;     // without accesses, without going elsewhere
  uint8_t each;       // more for each access
  uint8_t least;      // at least as many if it accesses
  uint8_t elsewhere;  // more if the next instruction is not the one behind it
  uint8_t interlock;  // more for the next instruction if that needs one of `loads`
  bool is_branch;     // can go elsewhere by itself; another instruction does by an exception
  bool accesses;      // accesses memory if its condition holds
  bool is_single;     // is a load or store of one register, or of a part of it
  uint16_t loads;     // registers that come from memory
  uint16_t needs;     // registers that have to be there when it begins
};

// Reads `key:cycles/key:cycles...`; false if a key is unknown or a number is no byte.
bool timing_parse(struct timing* timing, const char* text);

// Decodes the instruction at `bytes`, of which as many are there as it has.
struct step timing_decode(const struct timing* timing, const uint8_t* bytes);

// The bytes of that instruction. QEMU's own number is larger where its translator has looked past
// the end of a page's last instruction.
unsigned timing_size(const struct timing* timing, const uint8_t* bytes);

// Returns the cycles of an execution of a step. `before` is the step before it if that accessed
// memory, or NULL. `accesses` are its data accesses, `in_flash` those among them that wait.
unsigned timing_cycles(const struct timing* timing, const struct step* before, const struct step* now,
                       unsigned accesses, unsigned in_flash, bool elsewhere);

#endif
