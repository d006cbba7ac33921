// SPDX-License-Identifier: MIT
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

#include "cache.h"

// An instruction of the program, found once at its translation.
struct place {
  const struct options* options;
  uint64_t address;
  uint64_t next;  // address behind it
  struct step step;
};

// The execution under way; it is counted when the next one begins, which shows where it went.
static const struct place* current;
static unsigned accesses, in_flash;
static const struct place* before;  // the one before it, if it accessed memory

struct counts {
  uint64_t cycles;
  struct cache_counts code, data;
};

// The caches as the program left them, and others that are empty when an interval begins.
static struct {
  struct cache code, data;
} warm, cold;
static struct counts warm_counts, warm_at_start, cold_counts;
static bool is_open;
static struct first_misses* first;
static size_t first_count;

// The marks are no part of the interval: the first one's return and the call of the second.
static bool is_mark(const struct options* options, uint64_t address, uint64_t next) {
  return address == options->start || next == options->stop;
}

static void count_fetch(const struct place* place, bool counts) {
  struct cache_counts none = {0};
  cache_read(&warm.code, (uint32_t)place->address, counts ? &warm_counts.code : &none);
  if (!is_open || !counts) return;
  cache_read(&cold.code, (uint32_t)place->address, &cold_counts.code);
  if (first_count == first_instructions) return;
  first[first_count++] =
      (struct first_misses){(uint32_t)cold_counts.code.read_misses, (uint32_t)cold_counts.data.read_misses,
                            (uint32_t)cold_counts.data.write_misses};
}

static void count_execution(uint64_t next) {
  const struct place* place = current;
  const struct options* options = place->options;
  const bool counts = !is_mark(options, place->address, next);
  if (options->caches) count_fetch(place, counts);
  if (counts) {
    const struct step* step_before = before ? &before->step : NULL;
    warm_counts.cycles +=
        timing_cycles(&options->timing, step_before, &place->step, accesses, in_flash, next != place->next);
  }
  before = accesses ? place : NULL;
}

static void on_execution(unsigned vcpu, void* data) {
  (void)vcpu;
  const struct place* place = data;
  if (current) count_execution(place->address);
  current = place;
  accesses = in_flash = 0;
}

void model_watch(const struct options* options, struct qemu_plugin_insn* instruction, uint64_t address) {
  struct place* place = malloc(sizeof *place);  // lives as long as the translation, which may be for ever
  if (!place) abort();
  const uint8_t* bytes = qemu_plugin_insn_data(instruction);
  const uint64_t next = address + timing_size(&options->timing, bytes);
  *place = (struct place){options, address, next, timing_decode(&options->timing, bytes)};
  qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_execution, qemu_plugin_cb_no_regs, place);
}

static bool is_in_flash(const struct options* options, uint64_t address) {
  for (size_t i = 0; i < options->code_count; ++i) {
    if (address >= options->codes[i].low && address < options->codes[i].high) return true;
  }
  return false;
}

void model_access(const struct options* options, uint64_t address, bool is_store, bool is_device) {
  ++accesses;
  if (options->timing.wait && is_in_flash(options, address)) ++in_flash;
  if (!options->caches || is_device) return;
  void (*const touch)(struct cache*, uint32_t, struct cache_counts*) = is_store ? cache_write : cache_read;
  touch(&warm.data, (uint32_t)address, &warm_counts.data);
  if (is_open) touch(&cold.data, (uint32_t)address, &cold_counts.data);
}

void model_begin(struct first_misses* shared) {
  first = shared;
}

void model_start(void) {
  warm_at_start = warm_counts;
  cold_counts = (struct counts){0};
  cache_flush(&cold.code);
  cache_flush(&cold.data);
  first_count = 0;
  is_open = true;
}

int model_report(const struct options* options, char* text, size_t size) {
  is_open = false;
  const struct counts *now = &warm_counts, *from = &warm_at_start;
  int length = snprintf(text, size, " %llu", (unsigned long long)(now->cycles - from->cycles));
  if (!options->caches) return length;
  const uint64_t figures[] = {
      now->code.read_hits - from->code.read_hits,           now->code.read_misses - from->code.read_misses,
      now->data.read_hits - from->data.read_hits,           now->data.read_misses - from->data.read_misses,
      now->data.write_hits - from->data.write_hits,         now->data.write_misses - from->data.write_misses,
      now->data.halves_written - from->data.halves_written,
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
    length += snprintf(text + length, size - (size_t)length, " %llu", (unsigned long long)figures[i]);
  }
  return length;
}
