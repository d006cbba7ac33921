// SPDX-License-Identifier: MIT
#include "ask_for.hpp"

#include <cerrno>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace baton::BATON_VARIANT::service::detail {

/// The argument of sched_setattr(2), which the C library does not declare.
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

static std::string refused(const std::string& what, const char* needs) {
  return what + " is refused: " + std::strerror(errno) + "; " + needs;
}

static uint64_t nanoseconds_of(duration d) noexcept {
  return d.ticks() * (1000000000 / port::ticks_per_second);
}

static bool set_deadline(const scheduling& s) noexcept {
  const scheduling_attributes a{
      sizeof a, SCHED_DEADLINE, 0, 0, 0, nanoseconds_of(s.runtime), nanoseconds_of(s.due), nanoseconds_of(s.period)};
  return syscall(SYS_sched_setattr, 0, &a, 0) == 0;
}

static bool set_fifo(const scheduling& s) noexcept {
  sched_param p{};
  p.sched_priority = s.priority;
  return sched_setscheduler(0, SCHED_FIFO, &p) == 0;
}

static bool pin_to(int processor) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < CPU_SETSIZE) CPU_SET(static_cast<size_t>(processor), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::vector<std::string> ask_for(const thread_options& o) {
  std::vector<std::string> lines;
  if (o.processor >= 0 && !pin_to(o.processor)) {
    lines.push_back(refused("processor " + std::to_string(o.processor),
                            "it has to exist, and to be among those of the process (taskset, cpuset)"));
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
                "that no other thread was promised"));
  }
  return lines;
}

}  // namespace baton::BATON_VARIANT::service::detail
