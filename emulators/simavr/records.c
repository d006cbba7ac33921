// SPDX-License-Identifier: MIT
#include "records.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "baton-bench/1 ";
static const char iterations_key[] = "iterations=";

// The two marks of an empty interval: the `ldi` and the `out` of the second come after the stamp of the first.
enum { empty_interval_cycles = 2 };

void intervals_start(struct intervals* intervals, uint64_t cycle) {
  intervals->started = cycle;
  intervals->open = true;
}

void intervals_stop(struct intervals* intervals, uint64_t cycle) {
  if (!intervals->open) return;
  intervals->open = false;
  if (intervals->count == intervals->room) {
    intervals->room = intervals->room ? 2 * intervals->room : 16;
    intervals->cycles = realloc(intervals->cycles, intervals->room * sizeof *intervals->cycles);
    if (!intervals->cycles) abort();
  }
  const uint64_t raw = cycle - intervals->started;
  intervals->cycles[intervals->count++] = raw > empty_interval_cycles ? raw - empty_interval_cycles : 0;
}

bool is_record(const char* line, size_t length) {
  return length >= sizeof mark - 1 && memcmp(line, mark, sizeof mark - 1) == 0;
}

static bool ends_word(char c) {
  return c == ' ' || c == '\r' || c == '\n';
}

// Reads decimal digits up to `end`; a number that does not fit is no number.
static bool digits(const char* at, const char* end, uint64_t* value) {
  if (at == end || end - at > 18) return false;
  for (*value = 0; at != end; ++at) {
    if (*at < '0' || *at > '9') return false;
    *value = *value * 10 + (uint64_t)(*at - '0');
  }
  return true;
}

static const char* word_end(const char* at, const char* end) {
  while (at != end && !ends_word(*at)) ++at;
  return at;
}

static uint64_t iterations_of(const char* line, const char* end) {
  const size_t key = sizeof iterations_key - 1;
  for (const char *at = line, *stop; at != end; at = stop == end ? end : stop + 1) {
    uint64_t value;
    stop = word_end(at, end);
    const bool named = (size_t)(stop - at) > key && memcmp(at, iterations_key, key) == 0;
    if (named && digits(at + key, stop, &value)) return value;
  }
  return 0;
}

void print_record(FILE* out, const char* line, size_t length, struct intervals* intervals) {
  const char* end = line + length;
  const uint64_t iterations = iterations_of(line, end);
  for (const char* at = line; at != end;) {
    const char* stop = word_end(at, end);
    const char* value = memchr(at, '=', (size_t)(stop - at));
    uint64_t which;
    if (value && stop - value > 2 && value[1] == '#' && digits(value + 2, stop, &which)) {
      fwrite(at, 1, (size_t)(value + 1 - at), out);
      if (which < intervals->count && iterations) {
        fprintf(out, "%.3f", (double)intervals->cycles[which] / (double)iterations);
      } else {
        fputs("missing", out);
      }
    } else {
      fwrite(at, 1, (size_t)(stop - at), out);
    }
    for (at = stop; at != end && ends_word(*at); ++at) fputc(*at, out);
  }
  intervals->count = 0;
  intervals->open = false;
}
