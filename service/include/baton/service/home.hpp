// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/loop.hpp>
#include <baton/service/lifecycle.hpp>
#include <baton/service/mail.hpp>
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
///          does, and others go by `mail`.
class home {
 public:
  home(application& a, std::string n, const options& o)
      : services(*this, events), mail(events), program(&a), name(std::move(n)) {
    services.options = o;
    events.limit_to(o.events);
    mail.limit_to(o.events.events);
  }

  /// Makes its loop, and runs it until all services have gone.
  template <typename Poller>
  void run_with(Poller* p) {
    is_of_ = std::this_thread::get_id();
    has_thread_ = true;
    if (p) {
      async::loop l(*p, mail.handle());
      run(l);
    } else {
      async::loop l(mail.handle());
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
  void tell_to_quit() noexcept {
    if (!is_told_.exchange(true, std::memory_order_acq_rel)) static_cast<void>(mail.handle().mailbox().post(told_));
  }

  /// Events that nobody has handled, and nobody will.
  uint64_t lost() const noexcept { return events.dropped() + mail.lost(); }

  hub events;
  registry services;
  mailbox mail;
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
  static async::task<> limit_quit(home& h) {
    const status slept = co_await async::sleep_for(h.services.options.shutdown_limit);
    if (slept == status::ok) h.services.shut_down();
  }

  static async::task<> live(home& h) {
    co_await h.services.ended.wait();
    h.events.close();
    h.services.own.stop();
    h.services.loose.stop();
    co_await async::within(seconds(1), h.services.own.join());
    co_await async::within(seconds(1), h.services.loose.join());
  }

  static void hear_quit(void* self) { static_cast<home*>(self)->quit(); }

  [[noreturn]] void foreign_call() const;

  std::thread::id is_of_;
  bool has_thread_ = false;
  bool is_quitting_ = false;
  std::atomic<bool> is_told_{false};
  async::message_node told_{&hear_quit, this};
};

/// The event by which a home that is to quit reaches the end of what waits.
struct end_of_events {
  static constexpr bool is_own = true;
  static void act(dispatcher&, record&, void* self) { static_cast<end_of_events*>(self)->of->services.shut_down(); }
  home* of;
};

inline void home::quit() {
  if (std::exchange(is_quitting_, true)) return;
  const status queued = events.push(0, priority::lowest, end_of_events{this});
  if (!has_thread_) return;
  if (queued != status::ok) return services.shut_down();
  services.own.spawn(limit_quit(*this));
}

inline void home::foreign_call() const {
  std::fprintf(stderr,
               "baton: a call from another thread to the home '%s': its services and events are touched on its own "
               "thread alone; from others, post\n",
               name.c_str());
  std::_Exit(static_cast<int>(exit_code::wrong_thread));
}

inline home& home_of(entry& e) noexcept {
  return e.home->at;
}

inline async::scope& scope_for(dispatcher& d, entry* owner) {
  registry& r = *d.services;
  return owner ? r.scope_of(*owner) : r.loose;
}

inline void note_failure(dispatcher& d, entry* owner, std::exception_ptr why) noexcept {
  registry& r = *d.services;
  if (owner) {
    r.fail(*owner, std::move(why));
  } else {
    r.report(exit_code::service_failed, "what was run outside of services failed: " + what_of(why));
  }
}

/// A coroutine of a service, whose failure is the service's.
inline async::task<> guarded(home& h, entry* owner, async::task<> body) {
  std::exception_ptr failure;
  try {
    co_await std::move(body);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) note_failure(h.events, owner, failure);
}

}  // namespace detail
}  // namespace baton::service
