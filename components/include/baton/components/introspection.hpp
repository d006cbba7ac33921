// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/worker_report.hpp>
#include <baton/service/application.hpp>
#include <memory>

namespace baton::BATON_VARIANT::components {

/// Reports on a program: its services, their dependencies, and its workers' queues.
///
///     reporter(required<introspection> i) { std::puts(i->report().json().c_str()); }
///
/// Context  its worker's thread. An event of the highest priority asks the other workers, which
///          report on themselves.
/// Cost     `report` O(services + dependencies), with a string for each name. Nothing between
///          reports.
class introspection {
 public:
  explicit introspection(service::context here) noexcept : here_(here) {}

  /// The report on its own worker.
  worker_report report() const { return of(here_.worker()); }

  /// The reports on all workers. A worker that does not answer within `patience` is listed by its
  /// name alone.
  async::task<program_report> whole(duration patience = 1_s) const { return ask_all(here_, patience); }

 private:
  /// The asker and the workers that answer share it, because either may be gone before the other.
  struct inquiry {
    program_report report;
    size_t missing = 0;
    bool is_over = false;
    async::manual_event done;
  };

  static async::task<program_report> ask_all(service::context here, duration patience) {
    const auto all = std::make_shared<inquiry>();
    here.program().visit_workers([&](service::worker_handle w) { ask(all, here.worker(), w); });
    if (all->missing != 0) {
      const status waited = co_await async::within(patience, all->done.wait());
      static_cast<void>(waited);  // the answers that have come so far count
    }
    all->is_over = true;
    co_return std::move(all->report);
  }

  static void ask(const std::shared_ptr<inquiry>& all, service::worker_handle asker, service::worker_handle w) {
    const size_t place = all->report.workers.size();
    worker_report& r = all->report.workers.emplace_back();
    if (w == asker) {
      r = of(w);
      return;
    }
    r.name = w.name();
    r.has_answered = false;
    const status asked =
        w.post([all, place, asker, w] { answer(all, place, asker, of(w)); }, service::priority::highest);
    if (asked == status::ok) ++all->missing;
  }

  /// Runs on the thread of the worker that answers.
  static void answer(const std::shared_ptr<inquiry>& all, size_t place, service::worker_handle asker, worker_report r) {
    const status told = asker.post([all, place, r = std::move(r)]() mutable { take(*all, place, std::move(r)); },
                                   service::priority::highest);
    static_cast<void>(told);  // the asker's worker has ended
  }
  static void take(inquiry& all, size_t place, worker_report&& r) {
    if (all.is_over) return;
    all.report.workers[place] = std::move(r);
    if (--all.missing == 0) all.done.set();
  }

  static worker_report of(service::worker_handle w) { return {w.snapshot()}; }

  const service::context here_;
};

}  // namespace baton::BATON_VARIANT::components
