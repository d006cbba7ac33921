// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <fstream>
#include <string_view>

#include "child.hpp"
#include "counted.hpp"

// The peak memory of a process that runs one workload once, and nothing else.

namespace suite_service {

struct peak {
  counted counts;
  uint64_t bytes = 0;
};

/// The peak memory of this process so far, program and libraries included. 0: the system does not
/// say.
inline uint64_t bytes_held_at_most() {
  constexpr std::string_view key = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, key.size(), key) == 0) return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
  }
  return 0;
}

/// Prints the child's answer.
[[noreturn]] inline void answer(const counted& c) {
  std::printf(" %llu %llu %llu\n", static_cast<unsigned long long>(c.pushed),
              static_cast<unsigned long long>(c.handled), static_cast<unsigned long long>(bytes_held_at_most()));
  std::fflush(stdout);
  std::_Exit(0);
}

/// Reads a child's answer. 0 bytes: there was none.
inline peak answer_of(child& c, size_t skip = 0) {
  peak found;
  const std::string text = c.rest();
  if (!c.has_ended_well() || text.size() <= skip) return found;
  char* end = nullptr;
  const char* at = text.c_str() + skip;
  for (uint64_t* n : {&found.counts.pushed, &found.counts.handled, &found.bytes}) {
    *n = std::strtoull(at, &end, 10);
    at = end;
  }
  return found;
}

inline peak peak_of(uint32_t number, child_request::purpose what) {
  child c({what, number});
  return answer_of(c);
}

}  // namespace suite_service
