// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_CACHE_H
#define BATON_QEMU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

// One cache of an ARM920T: 16 KiB of 8 segments with 64 ways of 32 bytes, virtually addressed. A
// read that misses fills a line; a write that misses does not. A write that hits stays in the line
// and marks its half as dirty (write-back), which is written when the line is replaced. Replacement
// is round robin, for each segment by itself: the core has it, besides a pseudo-random one, which
// its manual does not define. (ARM920T Technical Reference Manual, DDI 0151C, chapter 4)
enum { cache_line_bytes = 32, cache_segments = 8, cache_ways = 64 };

struct cache {
  uint32_t tags[cache_segments][cache_ways];  // address of a line, 1 beside it: valid; 0: empty
  uint8_t dirty[cache_segments][cache_ways];  // 1, 2: the first, the second half
  uint8_t victims[cache_segments];
  uint32_t* last;  // the line of the last access that hit
};

struct cache_counts {
  uint64_t read_hits, read_misses, write_hits, write_misses;
  uint64_t halves_written;  // halves of lines, of 16 bytes, that a replacement has written
};

// Empties the cache without writing anything.
void cache_flush(struct cache* cache);

void cache_read(struct cache* cache, uint32_t address, struct cache_counts* counts);
void cache_write(struct cache* cache, uint32_t address, struct cache_counts* counts);

#endif
