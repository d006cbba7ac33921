// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>
#include <baton/service/realtime.hpp>
#include <baton/service/signals.hpp>
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace baton::service {

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
  explicit application(options o = {}) : options_(o) {
    workers_.emplace_back(*this, "main", o), listen(workers_.back());
  }
  application(const application&) = delete;
  application& operator=(const application&) = delete;

  /// The worker on the thread that calls `run`.
  context main() { return context(workers_.front(), nullptr); }
  /// Another, on a thread of its own, which asks the system for what is told: a processor, a scheduling class, locked memory.
  context add_worker(std::string name, thread_options o = {}) {
    workers_.emplace_back(*this, std::move(name), options_);
    listen(workers_.back());
    threads_.push_back(o);
    return context(workers_.back(), nullptr);
  }
  /// What the thread that calls `run` asks for.
  void set_main_thread(thread_options o) noexcept { threads_.front() = o; }

  /// As `context::add`, in the main worker.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add(Arguments&&... arguments) {
    return main().add<Service, Interfaces...>(std::forward<Arguments>(arguments)...);
  }

  /// Runs until `quit`, a signal or a mistake, and until all services have stopped. Gives the exit code.
  int run() { return run_with<async::poller>(nullptr); }
  /// The same, with a poller under the main worker's loop: Asio's, say.
  template <typename Poller>
  int run(Poller& p) {
    return run_with(&p);
  }

  /// Ends it in order. Any thread; the first code stands.
  void quit(int code = 0) {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      if (!is_quitting_) code_ = code;
      is_quitting_ = true;
    }
    for (detail::worker& w : workers_) w.request_quit();
  }

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
    for (detail::worker& w : workers_) took += w.mailbox.post(Event(event), p) == status::ok ? 1 : 0;
    return took;
  }

  /// Events that were dropped, by a full queue or at the end. After `run`.
  uint64_t lost_events() const {
    uint64_t n = 0;
    for (const detail::worker& w : workers_) n += w.lost();
    return n;
  }
  /// Events that were handled. After `run`.
  uint64_t handled_events() const {
    uint64_t n = 0;
    for (const detail::worker& w : workers_) n += w.events.handled();
    return n;
  }
  /// How many things the threads asked for, and the system refused; each was told. After `run`.
  size_t refusals() const noexcept { return refusals_; }

  /// What is told to people goes here, in place of standard error.
  std::function<void(const std::string&)> on_diagnostic = [](const std::string& text) {
    std::fprintf(stderr, "baton: %s\n", text.c_str());
  };

  template <typename Visit>
  void visit_workers(Visit&& each) {
    for (detail::worker& w : workers_) each(w);
  }

 private:
  void listen(detail::worker& w) {
    w.services.on_report = [this](exit_code c, const std::string& text) {
      {
        const std::lock_guard<std::mutex> hold(lock_);
        if (!has_failed_) code_ = static_cast<int>(c);
        has_failed_ = is_quitting_ = true;
        on_diagnostic(text);
      }
      for (detail::worker& other : workers_) other.request_quit();
    };
  }

  template <typename Poller>
  int run_with(Poller* p) {
    const detail::end_signals ends(options_.ends_at_signals, *this, &at_signal);
    std::vector<std::thread> threads;
    for (size_t i = 1; i != threads_.size(); ++i) {
      threads.emplace_back([this, i] {
        ask_for(i);
        workers_[i].run_with<async::poller>(nullptr);
      });
    }
    ask_for(0);
    workers_.front().run_with(p);
    for (std::thread& t : threads) t.join();
    if (const uint64_t n = lost_events())
      on_diagnostic(std::to_string(n) + (n == 1 ? " event was" : " events were") + " dropped");
    return code_;
  }
  void ask_for(size_t worker) {
    const std::vector<std::string> lines = detail::ask_for(threads_[worker]);
    if (lines.empty()) return;
    const std::lock_guard<std::mutex> hold(lock_);
    refusals_ += lines.size();
    for (const std::string& l : lines) on_diagnostic("the worker '" + workers_[worker].name + "' does without: " + l);
  }
  static void at_signal(void* self, int number) { static_cast<application*>(self)->quit(128 + number); }

  const options options_;
  std::deque<detail::worker> workers_;
  std::vector<thread_options> threads_{{}};
  std::mutex lock_;
  int code_ = 0;
  bool is_quitting_ = false;
  bool has_failed_ = false;
  size_t refusals_ = 0;
};

inline void context::quit(int code) const {
  program().quit(code);
}

}  // namespace baton::service
