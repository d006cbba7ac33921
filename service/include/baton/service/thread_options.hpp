// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ticks.hpp>
#include <cstdint>

namespace baton::BATON_VARIANT::service {

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

}  // namespace baton::BATON_VARIANT::service
