// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/essentials.hpp>
#include <baton/service/application.hpp>
#include <baton/service/program_events.hpp>
#include <memory>
#include <systemd/sd-daemon.h>

namespace baton::BATON_VARIANT::components {

/// Tells systemd how the program is: READY=1 when all services of all workers have started,
/// STOPPING=1 when it begins to end, and WATCHDOG=1 while each worker handles events.
///
///     app.add<systemd_notifier>();
///
/// Shape    a service. Its unit has `Type=notify` and, for the watchdog, `WatchdogSec=`. Without
///          systemd (no NOTIFY_SOCKET) it does nothing.
/// Units    a beat takes half of WATCHDOG_USEC, as systemd advises.
/// Context  its worker's thread. At each beat it posts a function of the lowest priority to every
///          worker, and the next beat is told only if all have called theirs: systemd restarts a
///          program with a worker whose handler never returns, or whose queue never gets there.
/// Cost     nothing between beats.
/// Errors   a message that systemd does not take is lost, as in sd_notify(3).
/// Source   sd_notify(3), sd_watchdog_enabled(3)
class systemd_notifier {
 public:
  explicit systemd_notifier(service::context here)
      : here_(here),
        started_(here.on<service::program_started>([](const auto&) { ::sd_notify(0, "READY=1"); })),
        ending_(here.on<service::program_ending>([](const auto&) { ::sd_notify(0, "STOPPING=1"); })) {}

  void start() {
    uint64_t limit_us = 0;
    if (::sd_watchdog_enabled(0, &limit_us) > 0) here_.spawn(beat(here_, microseconds(limit_us / 2)));
  }

 private:
  /// The number of workers that have not called the function of the last beat.
  using count = std::shared_ptr<std::atomic<size_t>>;

  /// Beats until its service stops.
  static async::task<> beat(service::context here, duration pause) {
    const count silent = std::make_shared<std::atomic<size_t>>(0);
    bool all_are_asked = true;
    for (status slept = status::ok; slept == status::ok; slept = co_await async::sleep_for(pause)) {
      if (silent->load() != 0) continue;
      if (all_are_asked) ::sd_notify(0, "WATCHDOG=1");
      all_are_asked = true;
      here.program().visit_workers([&](service::worker_handle w) { all_are_asked &= ask(w, silent); });
    }
  }

  /// Returns false if the worker has no room for an event: it is asked again at the next beat. One
  /// that has ended needs no answer.
  static bool ask(service::worker_handle w, const count& silent) {
    ++*silent;
    const status asked = w.post([silent] { --*silent; }, service::priority::lowest);
    if (asked != status::ok) --*silent;
    return asked != status::full;
  }

  const service::context here_;
  service::registration started_;
  service::registration ending_;
};

}  // namespace baton::BATON_VARIANT::components
