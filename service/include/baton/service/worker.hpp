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

/// Where services live: a loop, with its events and its services.
///
/// Shape    made on any thread; its loop is made on the thread that runs it. Before that whoever made it adds services and events, afterwards only that thread
///          does, and others go by `mailbox`.
class worker {
 public:
  worker(application& a, std::string n, const options& o);
  ~worker();

  /// Makes its loop, over `p` if there is one, and runs it until all services have gone.
  void run_with(async::poller* p);

  /// BATON's checked call: whoever is on the wrong thread is named, and the program ends.
  void check() const {
    if (BATON_UNLIKELY(has_thread_ && is_of_ != pthread_self())) foreign_call();
  }

  /// In order: events that wait are handled first, and those that they push, those of the lowest priority last.
  void quit();
  /// The same, from any thread, also before it runs.
  void request_quit() noexcept;

  /// Events that nobody has handled, and nobody will.
  uint64_t lost() const noexcept { return events.dropped() + mailbox.lost(); }

  event_queue events;
  registry services;
  event_mailbox mailbox;
  application* program;
  std::string name;

 private:
  void run(async::basic_loop<tick>& l);
  /// The events do not end: they are not waited for any longer.
  static async::task<> limit_quit(worker& w);
  static async::task<> live(worker& w);
  static void hear_quit(void* self) { static_cast<worker*>(self)->quit(); }

  [[noreturn]] void foreign_call() const;

  pthread_t is_of_{};
  bool has_thread_ = false;
  bool is_quitting_ = false;
  std::atomic<bool> is_quit_requested_{false};
  async::message_node quit_message_{&hear_quit, this};
};

inline worker& worker_of(service_record& e) noexcept {
  return e.owning_registry->at;
}

/// A coroutine of a service, whose failure is the service's.
async::task<> guarded(worker& w, service_record* owner, async::task<> body);

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
