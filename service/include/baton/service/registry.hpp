// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/entry_memory.hpp>
#include <baton/service/hub.hpp>
#include <baton/service/link_table.hpp>
#include <string>

/// Starts services when what they require is there, and stops them before it goes.
namespace baton::service {

/// How a program ended. What a service gives to `quit` stands for itself.
enum class exit_code : int {
  success = 0,
  missing_provider = 10,
  cycle = 11,
  two_providers = 12,
  start_failed = 13,
  start_never_ended = 14,
  stop_failed = 15,
  stop_never_ended = 16,
  service_failed = 17,
  wrong_thread = 18,
  nothing_left = 19,  // in virtual time: nobody quits, and nothing can happen any more
};

/// What a program and its homes have a choice in.
struct options {
  queue_limit events{};               ///< of each home
  tick step_limit = seconds(10);      ///< for a start or a stop that is a coroutine
  tick shutdown_limit = seconds(30);  ///< for the whole end, the events that wait included
  bool waits_for_providers =
      false;  ///< a service that lacks a provider when the others have started: waits for it, and is no mistake
  bool ends_at_signals = true;  ///< SIGINT and SIGTERM end it in order; a second one at once
};

namespace detail {

class home;

/// The services of a home.
///
/// Shape    a state a service, and a list of those whose state is to be looked at. A job of the loop looks at them, so what a service asks for happens
///          after it has returned. The order of the starts is kept, and the end is its reverse, one at a time.
/// Context  its home's thread, also before that runs.
/// Cost     O(services + dependencies) for all starts and stops; bench/suites/service: start, start_stop.
class registry : public link_table, job {
 public:
  registry(home& at_home, hub& h) noexcept : job(&run), at(at_home), events(h) { h.services = this; }
  ~registry() { free_all(); }

  /// A new service, which is looked at in its turn.
  void add(entry& e);
  void want(entry& e, bool is_wanted) {
    e.is_wanted = is_wanted;
    if (is_wanted && e.now == phase::down) e.has_failed = false;
    look_at(e);
  }
  void remove(entry& e) {
    e.is_removed = true;
    look_at(e);
  }
  void fail(entry& e, std::exception_ptr why);

  /// Looks at it in its turn.
  void look_at(entry& e) {
    queue(e);
    if (BATON_UNLIKELY(!is_queued_)) wake_up();
  }

  /// Null: it is gone.
  entry* find(service_id) const noexcept;

  /// Its loop runs from now on. `ended` is called when all services are gone after `shut_down`.
  void begin();
  /// Stops all, the one that started last first, and takes them out.
  void shut_down();
  bool is_shutting_down() const noexcept { return is_shutting_down_; }
  bool has_ended() const noexcept { return has_ended_; }

  /// Destroys coroutines that have not ended. With the loop that they are of.
  void abandon() noexcept;
  /// Destroys all services without their stops. The hub is still there.
  void free_all() noexcept;

  /// The first mistake stands, and ends the home.
  void report(exit_code c, const std::string& text);

  void set_factory(interface_id of, factory* f) {
    row(of).made_by = f;
    if (f) ask_for_waiting(of), wake_up();
  }

  async::scope& scope_of(entry& e) {
    extras& m = e.more();
    if (!m.scope) m.scope.emplace();
    return *m.scope;
  }

  home& at;
  hub& events;
  service::options options;
  async::scope own;    // the registry's coroutines
  async::scope loose;  // coroutines of nobody's
  async::manual_event ended;
  std::function<void(exit_code, const std::string&)> on_report;
  entry_memory memory;
  uint32_t live = 0;

  /// All that are there, for who looks at them.
  template <typename Visit>
  void visit(Visit&& each) const {
    for (entry* e : by_number_) {
      if (e) each(*e);
    }
  }

 private:
  /// Steps between two looks at what else is ready.
  static constexpr unsigned batch = 64;

  static point run(job* j, point);
  void wake_up();
  void step(entry& e);
  bool should_run(const entry& e) const noexcept {
    return e.is_wanted && !e.is_removed && !e.has_failed && e.unsatisfied == 0 &&
           (!is_shutting_down_ || e.now == phase::active);
  }

  void begin_start(entry& e);
  void start_has_failed(entry& e, std::exception_ptr why);
  void has_started(entry& e);
  void begin_leave(entry& e);
  void begin_stop(entry& e);
  void has_stopped(entry& e);
  void after_end(entry& e);
  void erase(entry& e);

  static async::task<> start_in_coroutine(registry& r, entry& e);
  static async::task<> stop_in_coroutine(registry& r, entry& e);
  static async::task<> end_coroutines(entry& e);
  static void forget_coroutines(entry& e) noexcept;
  static async::task<> restart_later(registry& r, service_id id, tick pause);
  static async::task<> watch(registry& r);
  static async::task<> limit_shutdown(registry& r);

  void note_slow(entry& e);
  void forget_slow(entry& e) noexcept;
  void settle();
  void go_on_shutting_down();
  void end();
  void tell_changed(entry& e) {
    if (!e.rare) return;
    e.rare->changed.set();
    e.rare->changed.reset();
  }
  void put_in_order(entry& e) noexcept;
  void take_from_order(entry& e) noexcept;

  std::vector<entry*> by_number_{nullptr};
  std::vector<uint32_t> free_numbers_;
  std::vector<uint32_t> generations_{0};
  entry* oldest_ = nullptr;
  entry* newest_ = nullptr;
  entry* slow_first_ = nullptr;
  entry* slow_last_ = nullptr;
  uint32_t slow_ = 0;
  bool is_queued_ = true;  // until it begins, nobody queues it
  bool has_settled_ = false;
  bool handles_events_ = false;
  bool is_watching_ = false;
  bool is_shutting_down_ = false;
  bool has_ended_ = false;
  bool has_reported_ = false;
};

inline entry_memory& memory_of(registry& r) noexcept {
  return r.memory;
}

}  // namespace detail
}  // namespace baton::service
