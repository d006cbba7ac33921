// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/snapshot.hpp>
#include <baton/service/worker.hpp>

namespace baton::BATON_VARIANT::service {

/// Names a worker of an application: `context::worker()` gives that of a service.
///
/// Shape    a pointer. Copies are the same, and two of the same worker are equal. It is valid as
///          long as the application.
/// Context  any thread, but for `snapshot`.
class worker_handle {
 public:
  explicit worker_handle(detail::worker& w) noexcept : worker_(&w) {}

  std::string_view name() const noexcept { return worker_->name; }

  /// Puts an event into the worker's queue, as `application::post` does.
  /// Errors   `full`: too many are on their way. `closed`: the worker has ended.
  template <typename Event>
  status post(Event event, priority p = priority::normal) const {
    return worker_->mailbox.post(std::move(event), p);
  }
  /// Has a function called in its turn among the worker's events.
  /// Errors   as above. What it throws ends the program: it is no service's.
  template <typename Function>
    requires std::is_invocable_v<Function&>
  status post(Function f, priority p = priority::normal) const {
    return worker_->mailbox.post(detail::function_event<Function>{std::move(f), nullptr}, p);
  }

  /// Looks at the worker: its events, and its services with their phases and dependencies.
  ///
  /// Context  the worker's thread; before `run`, the thread that fills the application. Nothing in
  ///          the worker changes meanwhile, so the parts fit each other. Two workers are seen at
  ///          two moments: `post` a function that takes the snapshot there.
  /// Cost     O(services + dependencies), with a string for each name.
  /// Errors   a call from another thread ends the program with a message (exit code 18).
  worker_snapshot snapshot() const;

  /// Draws the worker's services, as `application::graph` does.
  ///
  /// Context  as `snapshot`.
  std::string graph() const;

  friend bool operator==(worker_handle, worker_handle) noexcept = default;

 private:
  detail::worker* worker_;
};

}  // namespace baton::BATON_VARIANT::service
