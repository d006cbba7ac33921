// SPDX-License-Identifier: MIT
//
// Tests the model of the ARM920T's caches by patterns of access whose hits and misses follow from
// its geometry alone.
#include "../cache.h"

#include <stdio.h>

enum { line = 32, segments = 8, ways = 64, way_stride = line * segments, whole = way_stride * ways };

static struct cache cache;
static struct cache_counts counts;
static int failures;

static void begin(void) {
  cache_flush(&cache);
  counts = (struct cache_counts){0};
}

static void check(const char* what, uint64_t read_hits, uint64_t read_misses, uint64_t write_hits,
                  uint64_t write_misses, uint64_t halves) {
  const uint64_t got[] = {counts.read_hits, counts.read_misses, counts.write_hits, counts.write_misses,
                          counts.halves_written};
  const uint64_t expected[] = {read_hits, read_misses, write_hits, write_misses, halves};
  static const char* const names[] = {"read hits", "read misses", "write hits", "write misses", "halves written"};
  for (int i = 0; i < 5; ++i) {
    if (got[i] == expected[i]) continue;
    printf("%s: %s: %llu, expected %llu\n", what, names[i], (unsigned long long)got[i],
           (unsigned long long)expected[i]);
    ++failures;
  }
  counts = (struct cache_counts){0};
}

static void read_lines(uint32_t from, unsigned number, unsigned stride) {
  for (unsigned i = 0; i < number; ++i) cache_read(&cache, from + i * stride, &counts);
}

static void a_line_is_filled_once(void) {
  begin();
  read_lines(0x8000, 2 * line / 4, 4);
  check("two lines word by word", 14, 2, 0, 0, 0);
}

static void all_of_it_fits(void) {
  begin();
  read_lines(0x10000, whole / line, line);
  check("16 KiB from empty", 0, 512, 0, 0, 0);
  read_lines(0x10000, whole / line, line);
  check("16 KiB again", 512, 0, 0, 0, 0);
}

// One line more than ways, in one segment: each read finds its line replaced just before.
static void a_segment_has_64_ways(void) {
  begin();
  for (int pass = 0; pass < 3; ++pass) read_lines(0x40, ways, way_stride);
  check("64 lines of a segment, three times", 2 * ways, ways, 0, 0, 0);
  begin();
  for (int pass = 0; pass < 3; ++pass) read_lines(0x40, ways + 1, way_stride);
  check("65 lines of a segment, three times", 0, 3 * (ways + 1), 0, 0, 0);
}

static void there_are_8_segments(void) {
  begin();
  for (int pass = 0; pass < 2; ++pass) {
    for (unsigned segment = 0; segment < segments; ++segment) read_lines(segment * line, ways, way_stride);
  }
  check("64 lines of each of 8 segments, twice", whole / line, whole / line, 0, 0, 0);
  begin();
  read_lines(0, ways + 1, way_stride);
  read_lines(line, 1, way_stride);
  read_lines(line, 1, way_stride);
  check("a full segment leaves the next one alone", 1, ways + 2, 0, 0, 0);
}

static void the_oldest_line_goes_also_if_it_was_just_used(void) {
  begin();
  read_lines(0, ways, way_stride);
  cache_read(&cache, 0, &counts);
  cache_read(&cache, whole, &counts);  // replaces the first
  cache_read(&cache, way_stride, &counts);
  check("round robin, not least recently used", 2, ways + 1, 0, 0, 0);
  cache_read(&cache, 0, &counts);
  check("the first is gone", 0, 1, 0, 0, 0);
}

static void a_write_that_misses_fills_nothing(void) {
  begin();
  cache_write(&cache, 0x100, &counts);
  cache_write(&cache, 0x104, &counts);
  cache_read(&cache, 0x100, &counts);
  cache_write(&cache, 0x104, &counts);
  check("write, write, read, write", 0, 1, 1, 2, 0);
}

static void changed_halves_are_written_when_their_line_goes(void) {
  begin();
  read_lines(0, 3, way_stride);
  cache_write(&cache, 0, &counts);                // the first half of the first line
  cache_write(&cache, 8, &counts);                // the same half
  cache_write(&cache, way_stride + 12, &counts);  // both halves of the second one
  cache_write(&cache, way_stride + 16, &counts);
  check("lines and writes", 0, 3, 4, 0, 0);
  read_lines(whole, ways, way_stride);  // replaces all three
  check("three halves are changed", 0, ways, 0, 0, 3);
  read_lines(2 * whole, ways, way_stride);
  check("what replaced them is not", 0, ways, 0, 0, 0);
}

static void an_emptied_cache_holds_nothing(void) {
  begin();
  cache_read(&cache, 0, &counts);
  cache_write(&cache, 0, &counts);
  cache_flush(&cache);
  read_lines(0, ways + 1, way_stride);
  check("after a flush", 0, ways + 2, 1, 0, 0);
}

int main(void) {
  a_line_is_filled_once();
  all_of_it_fits();
  a_segment_has_64_ways();
  there_are_8_segments();
  the_oldest_line_goes_also_if_it_was_just_used();
  a_write_that_misses_fills_nothing();
  changed_halves_are_written_when_their_line_goes();
  an_emptied_cache_holds_nothing();
  return failures != 0;
}
