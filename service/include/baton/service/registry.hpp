// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/event_queue.hpp>
#include <baton/service/link_table.hpp>
#include <baton/service/service_changed.hpp>
#include <baton/service/service_memory.hpp>
#include <new>
#include <string>

/// The registry: services, the links between them, and their lifecycle.
///
/// A service has a `service_record` in its worker. Each dependency of its constructor is a `slot`.
/// Each interface that it provides is a `provided_interface` in that interface's `interface_row`. A
/// slot has a `link` to each of its providers, which is also in the provider's list `dependants`. A
/// slot without a provider waits in the row; `many` always waits.
///
///   fresh     -> waiting    `install` lists its interfaces and looks its slots up
///   waiting   -> starting   `unsatisfied` is 0: the object is constructed, `start()` is called
///   starting  -> active     `publish` links the waiting slots to it
///   active    -> leaving    `withdraw` takes it from `optional` and `many`; the rest has to stop
///   leaving   -> stopping   `held` is 0, and nothing holds it: `stop()`, and the destructor
///   stopping  -> waiting    `release` unlinks it from the providers that wait for that
///   stopping  -> down       it failed; a restart or `context::start` makes it waiting again
///
/// A request sets a flag and queues the record. The registry's job takes the records in order, and
/// `step` makes one transition. So a request takes effect after its caller has returned.
///
/// Invariants:
///   - `unsatisfied` counts the slots that need one and have no link, or held ones alone.
///   - `held` counts a leaving provider's held links: dependants that require it and still live.
///   - The order of the starts holds every service that has started and still lives.
///
/// Do not change alone:
///   - `lose` holds a link; `release` or `disconnect_from` lets it go, and queues the provider.
///   - A queued record is not freed: the work list is linked in one direction. `erase` waits.
///   - A number is used again with the next generation. A coroutine that waits keeps the id, and
///     asks `find` for the record.
namespace baton::BATON_VARIANT::service {

/// The exit codes of mistakes. A code that a service gives to `quit` is the program's as it is.
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
  nothing_left = 19,   // in virtual time: no service has quit, and no timer or event is left
  out_of_memory = 20,  // for a change of a service's phase, which no service can be blamed for
};

/// The options of a program and its workers.
struct options {
  queue_limit events{};              ///< of each worker
  duration step_limit = 10_s;        ///< for a start or a stop that is a coroutine
  duration ending_limit = 10_s;      ///< for the handlers of `program_ending`; then the services stop
  duration shutdown_limit = 30_s;    ///< for the whole end, including the waiting events
  bool waits_for_providers = false;  ///< a service that lacks a provider after all starts is no mistake
  bool tells_changes = false;        ///< each change of a service's phase is a line of the diagnostics
  bool ends_at_signals = true;       ///< SIGINT and SIGTERM end the program in order, a second one at once
  bool tells_signal = false;         ///< `run` returns 128 + n after signal n; else 0, as after `quit()`
};

namespace detail {

class worker;

/// The services of a worker.
///
/// Shape    a phase per service, and a list of the services whose phase is to be looked at. A job
///          of the loop works the list off.
/// Context  its worker's thread, also before that runs.
/// Cost     O(services + dependencies) for all starts and stops; bench/suites/service: start,
///          start_stop.
class registry : public link_table, job {
 public:
  registry(worker& at_worker, event_queue& q);
  ~registry();

  /// Adds a service, which is looked at in its turn.
  void add(service_record& e);
  using link_table::set_rank;
  void set_enabled(service_record& e, bool is_enabled) {
    e.is_enabled = is_enabled;
    if (is_enabled && e.state == phase::down) forgive(e);
    look_at(e);
  }
  void remove(service_record& e) {
    e.is_removed = true;
    look_at(e);
  }
  void fail(service_record& e, std::exception_ptr why);
  /// Ends the program in order, because there was no memory. It allocates nothing itself.
  void report_want() noexcept;
  /// As `report`, of the text that `make` returns; if there is no memory for it, as `report_want`.
  template <typename Make>
  void report_made(exit_code c, Make make) noexcept {
    try {
      report(c, make());
    } catch (const std::bad_alloc&) {
      report_want();
    }
  }

  /// Looks at each change of phase from here on: something may hear of it.
  void announce_changes() noexcept { announces_ = true; }

  /// Queues a service whose state may have to change.
  void look_at(service_record& e) {
    queue(e);
    if (BATON_UNLIKELY(!is_queued_)) wake_up();
  }

  /// The service with that id; null if it is gone, or of another worker.
  service_record* find(service_id id) const noexcept {
    if (id.worker != worker_number || id.number >= by_number_.size() || generations_[id.number] != id.generation)
      return nullptr;
    return by_number_[id.number];
  }

  /// Starts the services. The loop of this thread is the worker's. `ended` is set when all services
  /// are gone after `shut_down`.
  void begin();
  /// Stops all services in the reverse order of their starts, and takes them out.
  void shut_down();
  bool is_shutting_down() const noexcept { return is_shutting_down_; }
  bool has_ended() const noexcept { return has_ended_; }

  /// Destroys the coroutines that have not ended. Call it before their loop is destroyed.
  void abandon() noexcept;
  /// Destroys all services without their stops. Call it before the event queue is destroyed.
  void free_all() noexcept;

  /// Reports a mistake and shuts down. Only the first mistake is told.
  void report(exit_code c, const std::string& text);
  /// Writes a line to the program's diagnostics, which go on.
  void tell(const std::string& text) const {
    if (on_told) on_told(text);
  }
  /// As `tell`, of the text that `make` returns. A text that there is no memory for is lost.
  template <typename Make>
  void tell_made(Make make) const {
    try {
      tell(make());
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  void set_factory(interface_id of, factory* f);
  /// An interface whose providers are on other workers, and the function that adds the stand-ins
  /// for them.
  struct imported_interface {
    interface_id of;
    interface_id from;  // of the providers
    void (*begin)(worker& from);
  };
  void add_import(imported_interface i);
  const std::vector<imported_interface>& imports() const noexcept { return imports_; }
  async::scope& scope_of(service_record& e);

  /// True if the id is another worker's, which is told. A call with it does nothing.
  bool is_foreign(service_id id) const {
    return BATON_UNLIKELY(id.number != 0 && id.worker != worker_number) && tell_foreign();
  }

  const uint32_t worker_number;
  worker& at;
  event_queue& events;
  service::options options;
  async::scope own;    // coroutines of the registry
  async::scope loose;  // coroutines that belong to no service
  async::manual_event ended;
  std::function<void(exit_code, const std::string&)> on_report;
  std::function<void()> on_settled;  // all services that can start have started
  std::function<void(const std::string&)> on_told;
  service_memory memory;
  uint32_t live = 0;

  /// Calls `each` with every service.
  template <typename Visit>
  void visit(Visit&& each) const {
    for (service_record* e : by_number_) {
      if (e) each(*e);
    }
  }

 private:
  /// The number of steps between two looks at other ready jobs.
  static constexpr unsigned batch = 64;

  static point run(job* j, point);
  bool work_off();
  void wake_up();
  void step(service_record& e);
  void step_has_failed(service_record& e);
  bool should_run(const service_record& e) const noexcept {
    return e.is_enabled && !e.is_removed && !e.has_failed && e.unsatisfied == 0 &&
           (!is_shutting_down_ || e.state == phase::active);
  }

  void begin_start(service_record& e);
  void start_has_failed(service_record& e, std::exception_ptr why);
  void has_started(service_record& e);
  void begin_leave(service_record& e);
  void go_on_leaving(service_record& e);
  void begin_stop(service_record& e);
  void stop_has_failed(const service_record& e, const std::exception_ptr& why) noexcept;
  void has_stopped(service_record& e);
  void after_end(service_record& e);
  void erase(service_record& e);

  static async::task<> start_in_coroutine(registry& r, service_record& e);
  static async::task<> stop_in_coroutine(registry& r, service_record& e);
  static async::scope* stop_coroutines(service_record& e) noexcept;
  static void forget_coroutines(service_record& e) noexcept;
  static void note_failure_of(service_record& e, std::exception_ptr why);
  bool tell_foreign() const;
  void refuse(service_record& e, const ambiguity& found);
  void forgive(service_record& e) noexcept;
  bool back_off_of(service_record& e);
  static async::task<> restart_later(registry& r, service_id id, duration pause, uint32_t number);
  static async::task<> watch(registry& r);
  static async::task<> limit_shutdown(registry& r);

  /// Changes the phase of a service, and pushes a `service_changed` if anything hears it.
  void change_to(service_record& e, phase to) {
    const phase from = e.state;
    e.state = to;
    if (BATON_UNLIKELY(announces_)) announce(e, from);
  }
  void announce(const service_record& e, phase from) noexcept;
  bool fail_holders(service_record& e);

  void note_slow(service_record& e) noexcept;
  void keep_limits() noexcept;
  void forget_slow(service_record& e) noexcept;
  /// The consequence of a look at the services that have not started.
  enum class after_starts : uint8_t { go_on, wait };
  void settle();
  after_starts look_for_lacks();
  void limit_wait_for_others();
  static async::task<> wait_for_others(registry& r);
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
  std::vector<imported_interface> imports_;
  service_record* oldest_ = nullptr;
  service_record* newest_ = nullptr;
  service_record* slow_first_ = nullptr;
  service_record* slow_last_ = nullptr;
  uint32_t slow_ = 0;
  bool is_queued_ = true;  // true before `begin`, so that no request queues the job
  bool has_begun_ = false;
  bool announces_ = false;  // a change of phase is a line, or may have a listener
  bool has_settled_ = false;
  bool waits_for_others_ = false;  // for providers on other workers
  bool others_are_late_ = false;
  bool handles_events_ = false;
  bool is_watching_ = false;
  bool limits_shutdown_ = false;
  bool has_ended_ = false;
  bool has_reported_ = false;
};

inline service_memory& memory_of(registry& r) noexcept {
  return r.memory;
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
