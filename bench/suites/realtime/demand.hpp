// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>
#include <sys/mman.h>

#include <baton/service.hpp>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace suite_realtime {

namespace service = baton::service;

/// The demands of a case's threads on the system: none, or everything for SCHED_FIFO.
enum class demand : uint8_t { nothing, fifo };

constexpr const char* name_of(demand d) {
  return d == demand::fifo ? "fifo" : "normal";
}

/// The demands that a thread got, and those that it did not get. Found by reading the thread's
/// state, not from the results of calls.
struct grant {
  std::string granted = "none";
  std::string refused = "none";

  /// The grants of the calling thread.
  static grant here(demand d) {
    grant g;
    if (d == demand::nothing) return g;
    g.note("fifo", sched_getscheduler(0) == SCHED_FIFO);
    g.note("pinned", processors() == 1);
    g.note("locked", locked_kilobytes() != 0);
    return g;
  }

 private:
  void note(const char* what, bool is_there) {
    std::string& to = is_there ? granted : refused;
    to = to == "none" ? what : to + "," + what;
  }
  static int processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  }
  static unsigned long locked_kilobytes() {
    constexpr std::string_view key = "VmLck:";
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.compare(0, key.size(), key) == 0) return std::strtoul(line.c_str() + key.size(), nullptr, 10);
    }
    return 0;
  }
};

/// The first and the last processor that the program may use; they are the same if there is one.
struct processors {
  int first = -1;
  int last = -1;

  static processors of_program() {
    processors found;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return found;
    for (int cpu = 0; cpu != CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(static_cast<size_t>(cpu), &set)) continue;
      if (found.first < 0) found.first = cpu;
      found.last = cpu;
    }
    return found;
  }
};

/// An application whose threads make the demand. Its destructor unlocks the memory.
struct program {
  explicit program(demand d) : wants(d) {
    app.on_diagnostic([](const std::string&) {});  // the record names the refusals, and the exit code shows mistakes
  }
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  ~program() {
    if (wants == demand::fifo) munlockall();
  }

  service::thread_options thread(int processor, int priority) const {
    if (wants == demand::nothing) return {};
    return {processor, service::scheduling::fifo(priority), true};
  }
  bool runs_well() { return app.run() == 0 && app.lost_events() == 0; }

  const demand wants;
  const processors has = processors::of_program();
  service::application app{without_signals()};

 private:
  static service::options without_signals() {
    service::options o;
    o.ends_at_signals = false;
    return o;
  }
};

}  // namespace suite_realtime
