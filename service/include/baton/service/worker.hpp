// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/loop.hpp>
#include <baton/service/event_mailbox.hpp>
#include <baton/service/lifecycle.hpp>
#include <baton/service/shutdown.hpp>
#include <baton/service/wrapped_events.hpp>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace baton::service {

class application;

namespace detail {

/// Where services live: a loop, with its events and its services.
///
/// Shape    made on any thread; its loop is made on the thread that runs it. Before that whoever made it adds services and events, afterwards only that thread
///          does, and others go by `mailbox`.
class worker {
 public:
  worker(application& a, std::string n, const options& o)
      : services(*this, events), mailbox(events), program(&a), name(std::move(n)) {
    services.options = o;
    events.limit_to(o.events);
    mailbox.limit_to(o.events.events);
  }

  /// Makes its loop, and runs it until all services have gone.
  template <typename Poller>
  void run_with(Poller* p) {
    is_of_ = std::this_thread::get_id();
    has_thread_ = true;
    if (p) {
      async::loop l(*p, mailbox.handle());
      run(l);
    } else {
      async::loop l(mailbox.handle());
      run(l);
    }
  }

  /// BATON's checked call: whoever is on the wrong thread is named, and the program ends.
  void check() const {
    if (BATON_UNLIKELY(has_thread_ && is_of_ != std::this_thread::get_id())) foreign_call();
  }

  /// In order: events that wait are handled first, and those that they push, those of the lowest priority last.
  void quit();
  /// The same, from any thread, also before it runs.
  void request_quit() noexcept {
    if (!is_quit_requested_.exchange(true, std::memory_order_acq_rel))
      static_cast<void>(mailbox.handle().mailbox().post(quit_message_));
  }

  /// Events that nobody has handled, and nobody will.
  uint64_t lost() const noexcept { return events.dropped() + mailbox.lost(); }

  event_queue events;
  registry services;
  event_mailbox mailbox;
  application* program;
  std::string name;

 private:
  void run(async::loop& l) {
    l.spawn(live(*this));
    services.begin();
    l.run();
    if (!services.has_ended()) services.report(exit_code::nothing_left, nothing_left(name));
    services.abandon();
    events.close();
    services.free_all();
  }

  /// The events do not end: they are not waited for any longer.
  static async::task<> limit_quit(worker& w) {
    const status slept = co_await async::sleep_for(w.services.options.shutdown_limit);
    if (slept == status::ok) w.services.shut_down();
  }

  static async::task<> live(worker& w) {
    co_await w.services.ended.wait();
    w.events.close();
    w.services.own.stop();
    w.services.loose.stop();
    co_await async::within(seconds(1), w.services.own.join());
    co_await async::within(seconds(1), w.services.loose.join());
  }

  static void hear_quit(void* self) { static_cast<worker*>(self)->quit(); }

  [[noreturn]] void foreign_call() const;

  std::thread::id is_of_;
  bool has_thread_ = false;
  bool is_quitting_ = false;
  std::atomic<bool> is_quit_requested_{false};
  async::message_node quit_message_{&hear_quit, this};
};

/// The event by which a worker that is to quit reaches the end of what waits.
struct end_of_events {
  static constexpr bool is_own = true;
  static void act(dispatcher&, event_header&, void* self) {
    static_cast<end_of_events*>(self)->of->services.shut_down();
  }
  worker* of;
};

inline void worker::quit() {
  if (std::exchange(is_quitting_, true)) return;
  const status queued = events.push(0, priority::lowest, end_of_events{this});
  if (!has_thread_) return;
  if (queued != status::ok) return services.shut_down();
  services.own.spawn(limit_quit(*this));
}

inline void worker::foreign_call() const {
  std::fprintf(stderr,
               "baton: a call from another thread to the worker '%s': its services and events are touched on its own "
               "thread alone; from others, post\n",
               name.c_str());
  std::_Exit(static_cast<int>(exit_code::wrong_thread));
}

inline worker& worker_of(service_record& e) noexcept {
  return e.owning_registry->at;
}

inline async::scope& scope_for(dispatcher& d, service_record* owner) {
  registry& r = *d.services;
  return owner ? r.scope_of(*owner) : r.loose;
}

inline void note_failure(dispatcher& d, service_record* owner, std::exception_ptr why) noexcept {
  registry& r = *d.services;
  if (owner) {
    r.fail(*owner, std::move(why));
  } else {
    r.report(exit_code::service_failed, "what was run outside of services failed: " + what_of(why));
  }
}

/// A coroutine of a service, whose failure is the service's.
inline async::task<> guarded(worker& w, service_record* owner, async::task<> body) {
  std::exception_ptr failure;
  try {
    co_await std::move(body);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) note_failure(w.events, owner, failure);
}

}  // namespace detail
}  // namespace baton::service
