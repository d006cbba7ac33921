// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>
#include <baton/service/network.hpp>
#include <baton/service/thread_options.hpp>

namespace baton::BATON_VARIANT::service {

/// A mistake in the services of a program.
struct mistake {
  exit_code code;    ///< that `run` would return
  std::string text;  ///< what is wrong with which service, and a remedy
};

/// A program of services: a worker on this thread, and others on threads of their own.
///
///     application app;
///     app.add<counter>();
///     app.add<printer>();
///     return app.run();
///
/// Shape    nothing is shared with another application of the process but the signals that end it.
/// Context  created, filled and run on one thread. Workers are added before `run`. Any thread may
///          call `post`, `broadcast` and `quit`.
/// Errors   a mistake in the services is written to standard error, with the names of the services
///          and the path between them. The program then ends in order, and `run` returns the
///          mistake's `exit_code`.
class application {
 public:
  explicit application(options o = {});
  application(const application&) = delete;
  application& operator=(const application&) = delete;
  ~application();

  /// The worker on the thread that calls `run`.
  context main();
  /// Adds a worker on a thread of its own. That thread asks the system for its options: a
  /// processor, a scheduling class, locked memory.
  context add_worker(std::string name, thread_options o = {});
  /// As above; the worker's loop has a poller of its own, so its services may have sockets, serial
  /// lines and whatever else the poller brings, as those of the main worker have under
  /// `run(poller)`.
  context add_worker(std::string name, network n, thread_options o = {});
  /// Sets the options of the thread that calls `run`.
  void set_main_thread(thread_options o) noexcept;

  /// Adds a service to the main worker, as `context::add` does.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add(Arguments&&... arguments) {
    return main().add<Service, Interfaces...>(std::forward<Arguments>(arguments)...);
  }

  /// As `context::add_maker`, of the main worker.
  template <typename Service, typename Interface, typename... Arguments>
  added add_maker() {
    return main().add_maker<Service, Interface, Arguments...>();
  }

  /// Runs until `quit`, a signal or a mistake, and then until all services have stopped. Returns
  /// the exit code.
  int run();
  /// As `run()`, with a poller under the main worker's loop, such as Asio's. The poller of another
  /// worker is that of its `network`.
  int run(async::poller& p);

  /// Finds what `run` would report of the services that have been added, without starting one: a
  /// requirement that no service provides, a cycle, two providers at one rank. Finds the same of
  /// the services that makers make, which `run` does not report: they would wait. Returns nothing
  /// if all of them can start.
  ///
  ///     CHECK(app.check().empty());
  ///     CHECK(app.check<logger>().empty());  // a service makes the loggers, or adds one later
  ///
  /// Context  before `run`, on its thread. It may be called again after further adds.
  /// Cost     O(services + dependencies), and each filter is asked about each provider.
  template <typename... Later>
  std::vector<mistake> check() {
    return mistakes({detail::id_of_interface<Later>...});
  }
  /// Draws the services and their dependencies as a text for Graphviz: `dot -Tsvg`. A line is
  /// dashed if the dependant can do without, and red if it cannot and there is no provider.
  ///
  /// Context  as `check`. In a running program, `worker_handle::graph` draws one worker.
  std::string graph();

  /// Ends the program in order. The first code is the one that counts.
  /// Context  any thread.
  void quit(int code = 0);

  /// Puts an event into a worker's queue.
  /// Context  any thread.
  /// Errors   `full`: too many events are on their way. `closed`: the worker has ended.
  template <typename Event>
  status post(context to, Event event, priority p = priority::normal) {
    return to.worker_->mailbox.post(std::move(event), p);
  }
  /// Calls a function in its turn among a worker's events. The function is moved to the worker's
  /// thread and destroyed there; one that is refused is destroyed here.
  /// Context  any thread.
  /// Errors   as of an event. An exception of the function ends the program, because no service is
  ///          to blame.
  template <typename Function>
    requires std::is_invocable_v<Function&>
  status post(context to, Function f, priority p = priority::normal) {
    return to.worker_->mailbox.post(detail::function_event<Function>{std::move(f), nullptr}, p);
  }
  /// Puts a copy of an event into the queue of each worker. Returns the number of workers that took
  /// it.
  /// Context  any thread.
  template <typename Event>
  size_t broadcast(const Event& event, priority p = priority::normal) {
    size_t took = 0;
    for (size_t i = 0; i != workers(); ++i) took += worker(i).mailbox.post(Event(event), p) == status::ok ? 1 : 0;
    return took;
  }

  /// The number of events that were dropped, by a full queue or at the end. After `run`.
  uint64_t lost_events() const;
  /// The number of events that were handled. After `run`.
  uint64_t handled_events() const;
  /// The number of requests of threads that the system refused; each was reported. After `run`.
  size_t refusals() const noexcept;

  /// Sets the function that diagnostics go to; standard error by default.
  ///
  /// Context  before `run`. The threads of all workers call `sink`, one at a time.
  void on_diagnostic(std::function<void(const std::string&)> sink);

  /// Calls `each(worker_handle)` for the main worker, and for the others in the order in which they
  /// were added.
  template <typename Visit>
  void visit_workers(Visit&& each) {
    for (size_t i = 0; i != workers(); ++i) each(worker_handle(worker(i)));
  }

 private:
  friend std::vector<detail::worker*> detail::others_of(const detail::worker& w);
  friend bool detail::is_last_farewell(const detail::worker& w) noexcept;
  struct state;

  std::vector<mistake> mistakes(const std::vector<detail::interface_id>& later);
  size_t workers() const noexcept;
  detail::worker& worker(size_t i) noexcept;

  std::unique_ptr<state> state_;
};

}  // namespace baton::BATON_VARIANT::service
