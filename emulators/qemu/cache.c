// SPDX-License-Identifier: MIT
#include "cache.h"

#include <stddef.h>
#include <string.h>

enum { valid = 1 };

static unsigned segment_of(uint32_t address) {
  return address / cache_line_bytes % cache_segments;
}

// Returns the line of an address, or NULL if the cache does not hold it.
static uint32_t* find(struct cache* cache, uint32_t address) {
  const uint32_t tag = (address & ~(uint32_t)(cache_line_bytes - 1)) | valid;
  if (cache->last && *cache->last == tag) return cache->last;
  uint32_t* tags = cache->tags[segment_of(address)];
  for (unsigned way = 0; way < cache_ways; ++way) {
    if (tags[way] == tag) return cache->last = &tags[way];
  }
  return NULL;
}

void cache_flush(struct cache* cache) {
  memset(cache, 0, sizeof *cache);
}

static void fill(struct cache* cache, uint32_t address, struct cache_counts* counts) {
  const unsigned segment = segment_of(address), way = cache->victims[segment];
  cache->victims[segment] = (uint8_t)((way + 1) % cache_ways);
  uint8_t* dirty = &cache->dirty[segment][way];
  counts->halves_written += (*dirty & 1u) + (*dirty >> 1);
  *dirty = 0;
  cache->last = &cache->tags[segment][way];
  *cache->last = (address & ~(uint32_t)(cache_line_bytes - 1)) | valid;
}

void cache_read(struct cache* cache, uint32_t address, struct cache_counts* counts) {
  if (find(cache, address)) {
    ++counts->read_hits;
  } else {
    ++counts->read_misses;
    fill(cache, address, counts);
  }
}

void cache_write(struct cache* cache, uint32_t address, struct cache_counts* counts) {
  const uint32_t* line = find(cache, address);
  if (!line) {
    ++counts->write_misses;
    return;
  }
  ++counts->write_hits;
  cache->dirty[0][line - cache->tags[0]] |= address & (cache_line_bytes / 2) ? 2 : 1;
}
