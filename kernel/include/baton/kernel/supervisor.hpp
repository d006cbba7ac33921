// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/supervisor_core.hpp>

namespace baton {
namespace kernel {

/// Ends a task if it lives, and restarts it. The new one has another id.
/// Errors   as `create`
inline created restart(tid former, const task_description& d) {
  kill(former);
  return create(d);
}

/// Tells a supervisor that the task at this place of it is well: see `supervisor::add`.
inline ipc_result send_heartbeat(tid supervisor, uint8_t place) {
  return notify(supervisor, static_cast<word>(1) << place);
}

/// A task that makes other tasks, and restarts them when they end: see docs/let-it-crash.md.
///
///     void supervise(void*) {
///       kernel::supervisor<2> of{kernel::restart_scope::one};
///       of.add(kernel::describe(2, sense, sensor_stack, "sensor"), kernel::restart_when::always);
///       of.add(kernel::describe(1, log, log_stack, "log"), kernel::restart_when::on_failure);
///       if (!of.run()) kernel::kill(kernel::my_tid());
///     }
///
/// Shape    places for as many tasks as it says; no heap. The kernel needs `end_reports`.
/// Context  used by one task. A task that is restarted has another id: clients find it by the name
///          server, or ask `id_of` through the supervisor.
template <uint8_t Tasks>
class supervisor : public detail::supervisor_core {
  static_assert(Tasks >= 1 && Tasks <= sizeof(word) * 8 - 2,
                "1 to 30 tasks, 14 where a word has 16 bits: a notification bit each");

 public:
  explicit supervisor(restart_scope scope, restart_limits limits = restart_limits())
      : supervisor_core(places_, Tasks, scope, limits) {}

 private:
  detail::supervised places_[Tasks];
};

}  // namespace kernel
}  // namespace baton
