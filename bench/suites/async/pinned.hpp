// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

namespace suite_async {

/// Keeps the program on the last of its CPUs, as single-threaded peers are kept.
class pinned {
 public:
  pinned() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu) {
      if (!CPU_ISSET(cpu, &before_)) continue;
      CPU_SET(cpu, &one);
      break;
    }
    sched_setaffinity(0, sizeof one, &one);
  }
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  ~pinned() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

}  // namespace suite_async
