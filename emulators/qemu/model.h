// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_MODEL_H
#define BATON_QEMU_MODEL_H

#include "options.h"
#include "qemu_api.h"

// A model of the core's timing, and of its caches, that follows the program instruction by
// instruction. Its counts are approximate; README.md says what it leaves out.

// The misses of an interval that began with empty caches, up to and with one of its first
// instructions. The runner, which knows how many operations an interval has, finds those of the
// first operation here.
enum { first_instructions = 8192 };
struct first_misses {
  uint32_t code, reads, writes;
};

// Gives the model its memory for the misses of an interval's first instructions.
void model_begin(struct first_misses* shared);

// Makes the model follow an instruction. Call it before anything else that the instruction's
// execution calls, so that the instruction before has been counted by then.
void model_watch(const struct options* options, struct qemu_plugin_insn* instruction, uint64_t address);

// Counts an access of the instruction that executes.
void model_access(const struct options* options, uint64_t address, bool is_store, bool is_device);

// Begins an interval, at its first mark.
void model_start(void);

// Writes the counts of the interval, each after a blank, at its second mark: cycles, and with
// caches hits and misses of code, of reads and of writes, and halves of lines written back.
int model_report(const struct options* options, char* text, size_t size);

#endif
