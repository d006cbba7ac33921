// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/service/event_mailbox.hpp>
#include <baton/service/registry.hpp>
#include <baton/service/wrapped_events.hpp>
#include <pthread.h>

namespace baton::BATON_VARIANT::async {
template <typename Tick>
class basic_loop;
}  // namespace baton::BATON_VARIANT::async

namespace baton::BATON_VARIANT::service {

class application;

namespace detail {

/// A loop, with its events and its services.
///
/// Shape    constructed on any thread; the loop is constructed on the thread that runs it. Until
///          the worker runs, only its constructor's thread touches the services and events; from
///          then on only its own thread does. Other threads use `mailbox`.
class worker {
 public:
  worker(application& a, std::string n, const options& o);
  ~worker();

  /// Constructs the loop, over `p` if that is not null, and runs it until all services are gone.
  void run_with(async::poller* p);
  /// Ends the program in order in place of running the services, for that reason.
  void refuse_to_run(const std::string& why);

  /// Ends the program with a message if the caller is on another thread.
  void check() const {
    if (BATON_UNLIKELY(has_thread_ && is_of_ != pthread_self())) foreign_call();
  }

  /// Ends in order. The waiting events are handled first, and the events of higher than the lowest
  /// priority that those push.
  void quit();
  /// As `quit`, from any thread, also before the worker runs.
  void request_quit() noexcept;

  /// Tells the program, once, that the handlers of `program_ending` have ended here. True for the
  /// last worker that does; the others then end their events.
  bool tell_farewell() noexcept;
  /// As `hear_all_left`, from any thread.
  void tell_all_left() noexcept { static_cast<void>(mailbox.handle().mailbox().post(all_left_message_)); }

  /// Pushes `program_started`, from any thread.
  void tell_started() noexcept { static_cast<void>(mailbox.handle().mailbox().post(started_message_)); }

  /// The number of events that were dropped or refused on arrival.
  uint64_t lost() const noexcept { return events.dropped() + mailbox.lost(); }

  event_queue events;
  registry services;
  event_mailbox mailbox;
  application* program;
  std::string name;

 private:
  /// Makes the worker the calling thread's.
  void take_thread() noexcept {
    is_of_ = pthread_self();
    has_thread_ = true;
  }
  void run(async::basic_loop<tick>& l);
  /// Shuts the services down after `shutdown_limit` even if the events do not end.
  static async::task<> limit_quit(worker& w);
  static async::task<> end_after_farewell(worker& w);
  void end_farewell();
  void end_events();
  static async::task<> live(worker& w, async::basic_loop<tick>& l);
  /// The events that were posted before the request are in the queue first. A handler that lets
  /// messages arrive, as the end of a batched sender does, is left first.
  static void hear_quit(void* self) {
    worker& w = *static_cast<worker*>(self);
    if (w.mailbox.queue_all()) return w.quit();
    static_cast<void>(w.mailbox.handle().mailbox().post(w.quit_message_));
  }

  static void hear_started(void* self);
  /// The handlers of `program_ending` have ended in all workers.
  static void hear_all_left(void* self);

  [[noreturn]] void foreign_call() const;

  pthread_t is_of_{};
  bool has_thread_ = false;
  bool is_quitting_ = false;
  bool has_told_farewell_ = false;
  std::atomic<bool> is_quit_requested_{false};
  async::message_node quit_message_{&hear_quit, this};
  async::message_node started_message_{&hear_started, this};
  async::message_node all_left_message_{&hear_all_left, this};
};

/// The other workers of the program, in the order in which they were added.
std::vector<worker*> others_of(const worker& w);
/// Counts a worker whose handlers of `program_ending` have ended, and tells the others when it is
/// the last one.
bool is_last_farewell(const worker& w) noexcept;

inline worker& worker_of(service_record& e) noexcept {
  return e.owning_registry->at;
}

/// Runs a coroutine of a service. Its exception is a failure of the service.
async::task<> guarded(worker& w, service_record* owner, async::task<> body);

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
