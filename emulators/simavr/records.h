// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_RECORDS_H
#define BATON_SIMAVR_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The measured intervals since the last record line, in cycles.
struct intervals {
  uint64_t* cycles;
  size_t count, room;
  uint64_t started;
  bool open;
};

void intervals_start(struct intervals* intervals, uint64_t cycle);
void intervals_stop(struct intervals* intervals, uint64_t cycle);

// Whether the line is a benchmark's record.
bool is_record(const char* line, size_t length);

// Prints a record line. A value `#K` becomes the cycles of interval K for each of the line's iterations, or "missing".
// All intervals are used up by it.
void print_record(FILE* out, const char* line, size_t length, struct intervals* intervals);

#endif
