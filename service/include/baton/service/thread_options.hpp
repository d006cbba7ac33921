// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/duration.hpp>
#include <cstdint>

namespace baton::BATON_VARIANT::service {

/// The scheduling class of a worker's thread in Linux.
/// Source   sched(7)
struct scheduling {
  enum class kind : uint8_t { normal, fifo, deadline };

  /// Runs before all normal threads; among real-time threads by priority, 1 to 99.
  static constexpr scheduling fifo(int priority) noexcept { return {kind::fifo, priority, {}, {}, {}}; }
  /// Guarantees `runtime` of processor time in each period, before the deadline in it. The kernel
  /// refuses demands that do not fit, and threads that are pinned.
  static constexpr scheduling deadline(duration runtime, duration deadline, duration period) noexcept {
    return {kind::deadline, 0, runtime, deadline, period};
  }

  kind which = kind::normal;
  int priority = 0;
  duration runtime{};
  duration due{};
  duration period{};
};

/// The demands of a worker's thread on the system, so that events are handled in time.
///
/// Context  the thread itself asks, before its worker begins.
/// Errors   each refusal is reported in one line, with its reason and a remedy, and the worker runs
///          without.
struct thread_options {
  int processor = -1;  ///< pinned to this one; -1: not pinned
  service::scheduling scheduling{};
  bool locks_memory = false;  ///< keeps all pages of the process in memory, present and future ones
};

}  // namespace baton::BATON_VARIANT::service
