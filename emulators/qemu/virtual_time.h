// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_VIRTUAL_TIME_H
#define BATON_QEMU_VIRTUAL_TIME_H

#include "options.h"

// Sends `options->sends` to the serial port, sets `options->inputs`, and calls `on_limit`, and
// `on_until` at the end of a script, at their times on the emulator's virtual clock. With -icount
// that clock follows the instructions, and the program is in the same state at each of these times
// in every run. `awake_ns` returns how long the processor has executed instructions; the limit is a
// limit of that time.
void virtual_time_start(struct options* options, uint64_t (*awake_ns)(void), void (*on_limit)(void),
                        void (*on_until)(void));

#endif
