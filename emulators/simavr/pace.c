// SPDX-License-Identifier: MIT
#include "pace.h"

#include <errno.h>
#include <time.h>

enum { nanoseconds_per_second = 1000000000, paces_per_second = 1000 };

static uint64_t real_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * nanoseconds_per_second + (uint64_t)now.tv_nsec;
}

struct pace pace_begin(uint64_t hz) {
  return (struct pace){.hz = hz, .began_ns = real_ns(), .next = hz ? hz / paces_per_second : UINT64_MAX};
}

void pace_keep(struct pace* pace, uint64_t cycle) {
  if (cycle < pace->next) return;
  const uint64_t hz = pace->hz;
  pace->next = cycle + hz / paces_per_second;
  const uint64_t due = pace->began_ns + cycle / hz * nanoseconds_per_second + cycle % hz * nanoseconds_per_second / hz;
  const struct timespec until = {.tv_sec = (time_t)(due / nanoseconds_per_second),
                                 .tv_nsec = (long)(due % nanoseconds_per_second)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
}
