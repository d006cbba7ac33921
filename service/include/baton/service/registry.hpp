// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/event_queue.hpp>
#include <baton/service/link_table.hpp>
#include <baton/service/service_memory.hpp>
#include <string>

/// Starts services when what they require is there, and stops them before it goes.
namespace baton::BATON_VARIANT::service {

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

/// What a program and its workers have a choice in.
struct options {
  queue_limit events{};               ///< of each worker
  tick step_limit = seconds(10);      ///< for a start or a stop that is a coroutine
  tick shutdown_limit = seconds(30);  ///< for the whole end, the events that wait included
  bool waits_for_providers =
      false;  ///< a service that lacks a provider when the others have started: waits for it, and is no mistake
  bool ends_at_signals = true;  ///< SIGINT and SIGTERM end it in order; a second one at once
};

namespace detail {

class worker;

/// The services of a worker.
///
/// Shape    a state a service, and a list of those whose state is to be looked at. A job of the loop looks at them, so what a service asks for happens
///          after it has returned. The order of the starts is kept, and the end is its reverse, one at a time.
/// Context  its worker's thread, also before that runs.
/// Cost     O(services + dependencies) for all starts and stops; bench/suites/service: start, start_stop.
class registry : public link_table, job {
 public:
  registry(worker& at_worker, event_queue& q) noexcept;
  ~registry();

  /// A new service, which is looked at in its turn.
  void add(service_record& e);
  void set_enabled(service_record& e, bool is_enabled) {
    e.is_enabled = is_enabled;
    if (is_enabled && e.state == phase::down) e.has_failed = false;
    look_at(e);
  }
  void remove(service_record& e) {
    e.is_removed = true;
    look_at(e);
  }
  void fail(service_record& e, std::exception_ptr why);

  /// Looks at it in its turn.
  void look_at(service_record& e) {
    queue(e);
    if (BATON_UNLIKELY(!is_queued_)) wake_up();
  }

  /// Null: it is gone.
  service_record* find(service_id id) const noexcept {
    if (id.number >= by_number_.size() || generations_[id.number] != id.generation) return nullptr;
    return by_number_[id.number];
  }

  /// Its loop runs from now on. `ended` is called when all services are gone after `shut_down`.
  void begin();
  /// Stops all, the one that started last first, and takes them out.
  void shut_down();
  bool is_shutting_down() const noexcept { return is_shutting_down_; }
  bool has_ended() const noexcept { return has_ended_; }

  /// Destroys coroutines that have not ended. With the loop that they are of.
  void abandon() noexcept;
  /// Destroys all services without their stops. The event queue is still there.
  void free_all() noexcept;

  /// The first mistake stands, and ends the worker.
  void report(exit_code c, const std::string& text);

  void set_factory(interface_id of, factory* f);
  async::scope& scope_of(service_record& e);

  worker& at;
  event_queue& events;
  service::options options;
  async::scope own;    // the registry's coroutines
  async::scope loose;  // coroutines of nobody's
  async::manual_event ended;
  std::function<void(exit_code, const std::string&)> on_report;
  service_memory memory;
  uint32_t live = 0;

  /// All that are there, for who looks at them.
  template <typename Visit>
  void visit(Visit&& each) const {
    for (service_record* e : by_number_) {
      if (e) each(*e);
    }
  }

 private:
  /// Steps between two looks at what else is ready.
  static constexpr unsigned batch = 64;

  static point run(job* j, point);
  void wake_up();
  void step(service_record& e);
  bool should_run(const service_record& e) const noexcept {
    return e.is_enabled && !e.is_removed && !e.has_failed && e.unsatisfied == 0 &&
           (!is_shutting_down_ || e.state == phase::active);
  }

  void begin_start(service_record& e);
  void start_has_failed(service_record& e, std::exception_ptr why);
  void has_started(service_record& e);
  void begin_leave(service_record& e);
  void begin_stop(service_record& e);
  void has_stopped(service_record& e);
  void after_end(service_record& e);
  void erase(service_record& e);

  static async::task<> start_in_coroutine(registry& r, service_record& e);
  static async::task<> stop_in_coroutine(registry& r, service_record& e);
  static async::task<> end_coroutines(service_record& e);
  static void forget_coroutines(service_record& e) noexcept;
  static async::task<> restart_later(registry& r, service_id id, tick pause);
  static async::task<> watch(registry& r);
  static async::task<> limit_shutdown(registry& r);

  void note_slow(service_record& e);
  void forget_slow(service_record& e) noexcept;
  void settle();
  void go_on_shutting_down();
  void end();
  void notify_changed(service_record& e) {
    if (!e.rare) return;
    e.rare->changed.set();
    e.rare->changed.reset();
  }
  void put_in_order(service_record& e) noexcept;
  void take_from_order(service_record& e) noexcept;

  std::vector<service_record*> by_number_{nullptr};
  std::vector<uint32_t> free_numbers_;
  std::vector<uint32_t> generations_{0};
  service_record* oldest_ = nullptr;
  service_record* newest_ = nullptr;
  service_record* slow_first_ = nullptr;
  service_record* slow_last_ = nullptr;
  uint32_t slow_ = 0;
  bool is_queued_ = true;  // until it begins, nobody queues it
  bool has_settled_ = false;
  bool handles_events_ = false;
  bool is_watching_ = false;
  bool is_shutting_down_ = false;
  bool has_ended_ = false;
  bool has_reported_ = false;
};

inline service_memory& memory_of(registry& r) noexcept {
  return r.memory;
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
