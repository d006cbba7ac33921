// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>
#include <baton/service/thread_options.hpp>

namespace baton::BATON_VARIANT::service {

/// A program of services: a worker on this thread, and others on threads of their own.
///
///     application app;
///     app.add<counter>();
///     app.add<printer>();
///     return app.run();
///
/// Shape    nothing is shared with another application in the same process but the signals that end it.
/// Context  made, filled and run on one thread. Workers are added before `run`. `post`, `broadcast` and `quit` any thread.
/// Errors   a mistake in the services is told on standard error with names and the way to it, the program ends in order, and `run` returns its `exit_code`.
class application {
 public:
  explicit application(options o = {});
  application(const application&) = delete;
  application& operator=(const application&) = delete;
  ~application();

  /// The worker on the thread that calls `run`.
  context main();
  /// Another, on a thread of its own, which asks the system for what is told: a processor, a scheduling class, locked memory.
  context add_worker(std::string name, thread_options o = {});
  /// What the thread that calls `run` asks for.
  void set_main_thread(thread_options o) noexcept;

  /// As `context::add`, in the main worker.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add(Arguments&&... arguments) {
    return main().add<Service, Interfaces...>(std::forward<Arguments>(arguments)...);
  }

  /// Runs until `quit`, a signal or a mistake, and until all services have stopped. Gives the exit code.
  int run();
  /// The same, with a poller under the main worker's loop: Asio's, say.
  int run(async::poller& p);

  /// Ends it in order. Any thread; the first code stands.
  void quit(int code = 0);

  /// Puts an event into a worker's queue, from any thread.
  /// Errors   `full`: too many are on their way. `closed`: it has ended.
  template <typename Event>
  status post(context to, Event event, priority p = priority::normal) {
    return to.worker().mailbox.post(std::move(event), p);
  }
  /// Has a function called in its turn among a worker's events, from any thread. It is moved there, and destroyed there unless it is refused.
  /// Errors   as above. What it throws ends the program: it is no service's.
  template <typename Function>
    requires std::is_invocable_v<Function&>
  status post(context to, Function f, priority p = priority::normal) {
    return to.worker().mailbox.post(detail::function_event<Function>{std::move(f), nullptr}, p);
  }
  /// Puts a copy into each worker's queue, from any thread. How many took it.
  template <typename Event>
  size_t broadcast(const Event& event, priority p = priority::normal) {
    size_t took = 0;
    visit_workers([&](detail::worker& w) { took += w.mailbox.post(Event(event), p) == status::ok ? 1 : 0; });
    return took;
  }

  /// Events that were dropped, by a full queue or at the end. After `run`.
  uint64_t lost_events() const;
  /// Events that were handled. After `run`.
  uint64_t handled_events() const;
  /// How many things the threads asked for, and the system refused; each was told. After `run`.
  size_t refusals() const noexcept;

  /// What is told to people goes to `sink`, in place of standard error.
  ///
  /// Context  before `run`; `sink` is called by any worker's thread, one at a time.
  void on_diagnostic(std::function<void(const std::string&)> sink);

  template <typename Visit>
  void visit_workers(Visit&& each) {
    for (size_t i = 0; i != workers(); ++i) each(worker(i));
  }

 private:
  struct state;

  size_t workers() const noexcept;
  detail::worker& worker(size_t i) noexcept;

  std::unique_ptr<state> state_;
};

}  // namespace baton::BATON_VARIANT::service
