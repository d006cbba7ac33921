// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ticks.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace baton::service {

/// By which of Linux's classes a worker's thread is scheduled. Source: sched(7).
struct scheduling {
  enum class kind : uint8_t { normal, fifo, deadline };

  /// Before all normal threads; among each other by priority, 1 to 99.
  static constexpr scheduling fifo(int priority) noexcept { return {kind::fifo, priority, 0, 0, 0}; }
  /// So much processor time in each period, before the deadline in it. The kernel refuses what does not fit, and a thread that is pinned.
  static constexpr scheduling deadline(tick runtime, tick deadline, tick period) noexcept {
    return {kind::deadline, 0, runtime, deadline, period};
  }

  kind which = kind::normal;
  int priority = 0;
  tick runtime = 0;
  tick due = 0;
  tick period = 0;
};

/// What the thread of a worker asks of the system, for events to be handled in time.
///
/// Context  asked for by the thread itself, before its worker begins.
/// Errors   what the system refuses is told in a line, with the reason and what it would take, and the worker runs without it.
struct thread_options {
  int processor = -1;  ///< pinned to this one; -1: to none
  service::scheduling scheduling{};
  bool locks_memory = false;  ///< no page of the process is ever taken out of memory, present ones and later ones
};

namespace detail {

/// The argument of sched_setattr(2), for which the C library has no name.
struct scheduling_attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

inline std::string refused(const std::string& what, const char* needs) {
  return what + " is refused: " + std::strerror(errno) + "; " + needs;
}

inline uint64_t nanoseconds_of(tick t) noexcept {
  return t * (1000000000 / port::ticks_per_second);
}

inline bool set_deadline(const scheduling& s) noexcept {
  const scheduling_attributes a{
      sizeof a, SCHED_DEADLINE, 0, 0, 0, nanoseconds_of(s.runtime), nanoseconds_of(s.due), nanoseconds_of(s.period)};
  return syscall(SYS_sched_setattr, 0, &a, 0) == 0;
}

inline bool set_fifo(const scheduling& s) noexcept {
  sched_param p{};
  p.sched_priority = s.priority;
  return sched_setscheduler(0, SCHED_FIFO, &p) == 0;
}

inline bool pin_to(int processor) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < CPU_SETSIZE) CPU_SET(static_cast<size_t>(processor), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Asks the system for what this thread wants. A line for each thing that it does not get.
inline std::vector<std::string> ask_for(const thread_options& o) {
  std::vector<std::string> lines;
  if (o.processor >= 0 && !pin_to(o.processor)) {
    lines.push_back(refused("processor " + std::to_string(o.processor),
                            "it has to be there, and among those of the process (taskset, cpuset)"));
  }
  if (o.locks_memory && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    lines.push_back(refused("locking memory", "it takes CAP_IPC_LOCK, or a limit that is high enough (ulimit -l)"));
  }
  if (o.scheduling.which == scheduling::kind::fifo && !set_fifo(o.scheduling)) {
    lines.push_back(refused("SCHED_FIFO with priority " + std::to_string(o.scheduling.priority),
                            "it takes CAP_SYS_NICE, or a limit for it (ulimit -r), and a priority from 1 to 99"));
  }
  if (o.scheduling.which == scheduling::kind::deadline && !set_deadline(o.scheduling)) {
    lines.push_back(
        refused("SCHED_DEADLINE",
                "it takes CAP_SYS_NICE, a thread that is not pinned, runtime <= deadline <= period, and processor time "
                "that nobody else was promised"));
  }
  return lines;
}

}  // namespace detail
}  // namespace baton::service
