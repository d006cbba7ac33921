#pragma once

#include <cstdio>

namespace check {

inline int failures = 0;

inline void that(bool holds, const char* text, int line) {
  if (holds) return;
  ++failures;
  std::printf("FAILED in line %d: %s\n", line, text);
}

}  // namespace check

#define CHECK(condition) check::that(condition, #condition, __LINE__)
