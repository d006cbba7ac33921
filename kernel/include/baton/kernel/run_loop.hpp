// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// For ports: what `kernel_switch::run` does besides beginning tasks.
namespace baton {
namespace kernel {

/// Sleeps by `port::idle()` while no task is ready, and adds that to `kernel_state::idle_ticks`, until the kernel stops, or in virtual time until nothing
/// can ever happen.
///
/// Context  main. `run_ready_tasks()` returns when none is ready, or the kernel is to stop.
template <typename Function>
inline void run_until_stopped(kernel_state& m, Function run_ready_tasks) {
  for (;;) {
    run_ready_tasks();
    if (m.stopping) return;
    if (port::attention::raised()) continue;
    const tick before = port::now();
    const bool can_wake = port::idle();
    m.idle_ticks += port::now() - before;
    if (!can_wake) return;
  }
}

}  // namespace kernel
}  // namespace baton
