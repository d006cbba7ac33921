// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_MASKS_H
#define BATON_QEMU_MASKS_H

#include "options.h"
#include "qemu_api.h"

// Follows, by the instructions that execute, whether the processor has masked its interrupts, and
// counts the longest run of instructions meanwhile. README.md says which instructions it knows.

// Makes it follow an instruction.
void masks_watch(const struct options* options, struct qemu_plugin_insn* instruction, uint64_t address);

// Begins an interval, at its first mark.
void masks_start(void);

// The instructions of the interval's longest run with interrupts masked, at its second mark.
uint64_t masks_longest(void);

#endif
