// SPDX-License-Identifier: MIT
#include <baton/async/loop.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/service/program_events.hpp>
#include <baton/service/worker.hpp>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "diagnosis.hpp"

namespace baton::BATON_VARIANT::service::detail {

worker::worker(application& a, std::string n, const options& o)
    : services(*this, events), mailbox(events), program(&a), name(std::move(n)) {
  services.options = o;
  events.limit_to(o.events);
  mailbox.limit_to(o.events.events);
}
worker::~worker() = default;

void worker::run_with(async::poller* p) {
  take_thread();
  if (p) {
    async::loop l(*p, mailbox.handle());
    run(l);
  } else {
    async::loop l(mailbox.handle());
    run(l);
  }
}

void worker::refuse_to_run(const std::string& why) {
  take_thread();
  async::loop l(mailbox.handle());
  services.report(exit_code::start_failed, why);
  run(l);
}

void worker::run(async::loop& l) {
  struct at_end {  // also when an exception ends the loop
    ~at_end() {
      of.services.abandon();
      of.events.close();
      of.mailbox.close();
      static_cast<void>(of.tell_farewell());
      of.services.free_all();
    }
    worker& of;
  } const ends{*this};
  l.spawn(async::with_frame(live(*this, l)));
  services.begin();
  l.run();
  if (!services.has_ended()) services.report(exit_code::nothing_left, nothing_left(name));
}

async::task<> worker::limit_quit(worker& w) {
  const status slept = co_await async::sleep_for(w.services.options.shutdown_limit);
  if (slept == status::ok) w.services.shut_down();
}

async::task<> worker::live(worker& w, async::loop& l) {
  static_cast<void>(co_await w.services.ended.wait());
  w.events.close();
  w.services.own.stop();
  w.services.loose.stop();
  static_cast<void>(co_await async::within(1_s, w.services.own.join()));
  static_cast<void>(co_await async::within(1_s, w.services.loose.join()));
  l.stop(1_s);  // calls of other workers that are still here
}

/// Pushes an event of the program's own if there is a handler for it.
template <typename Event>
void push_if_heard(event_queue& events) {
  if (events.is_heard(id_of_event<Event>)) static_cast<void>(events.push(0, priority::normal, Event{}));
}

/// An event for which there is no memory is pushed at the loop's next turn.
void worker::hear_started(void* self) {
  worker& w = *static_cast<worker*>(self);
  try {
    push_if_heard<program_started>(w.events);
  } catch (const std::bad_alloc&) {
    w.tell_started();
  }
}

/// The event behind all waiting ones; its turn begins the shutdown of the services.
struct end_of_events {
  static constexpr bool is_own = true;
  static void act(dispatcher&, event_header&, void* self) {
    static_cast<end_of_events*>(self)->of->services.shut_down();
  }
  worker* of;
};

void worker::quit() {
  if (std::exchange(is_quitting_, true)) return;
  bool takes_leave = has_thread_ && !events.is_closed() && events.is_heard(id_of_event<program_ending>);
  if (takes_leave) {
    async::task<> farewell = end_after_farewell(*this);
    takes_leave = farewell.has_frame();
    if (takes_leave) services.own.spawn(std::move(farewell));
  }
  if (!takes_leave) end_farewell();
  if (!has_thread_ || services.is_shutting_down()) return;
  async::task<> limit = limit_quit(*this);
  if (limit.has_frame()) services.own.spawn(std::move(limit));
}

/// The use of a completion by its sender.
struct use_of_sender {
  use_of_sender() = default;
  use_of_sender(const use_of_sender&) = delete;
  use_of_sender& operator=(const use_of_sender&) = delete;
  ~use_of_sender() { of->drop(); }
  completion* const of = new completion;
};

/// Waits until the handlers of `program_ending` have ended, those that are coroutines too.
static async::task<> say_farewell(event_queue& events, duration limit) {
  const use_of_sender mine;
  const status queued =
      events.push(0, priority::normal, awaited_event<program_ending>(*mine.of, std::make_unique<program_ending>()));
  if (queued == status::ok) static_cast<void>(co_await async::within(limit, mine.of->ended.wait()));
}

async::task<> worker::end_after_farewell(worker& w) {
  try {
    co_await async::with_frame(say_farewell(w.events, w.services.options.ending_limit));
  } catch (const std::bad_alloc&) {  // the services stop without it
    w.end_farewell();
    co_return;
  }
  w.end_farewell();
}

/// A worker that does not run yet has no handlers to wait for.
void worker::end_farewell() {
  if (!has_thread_ || tell_farewell()) end_events();
}

bool worker::tell_farewell() noexcept {
  return !std::exchange(has_told_farewell_, true) && is_last_farewell(*this);
}

void worker::hear_all_left(void* self) {
  static_cast<worker*>(self)->end_events();
}

/// Lets the services stop behind the events that wait.
void worker::end_events() {
  status queued = status::full;
  try {
    queued = events.push(0, priority::lowest, end_of_events{this});
  } catch (const std::bad_alloc&) {
    queued = status::full;
  }
  if (has_thread_ && queued != status::ok) services.shut_down();
}

void worker::request_quit() noexcept {
  if (!is_quit_requested_.exchange(true, std::memory_order_acq_rel))
    static_cast<void>(mailbox.handle().mailbox().post(quit_message_));
}

void worker::foreign_call() const {
  std::fprintf(stderr,
               "baton: a call from another thread to the worker '%s': only its own thread may touch its services and "
               "events; other threads post to it\n",
               name.c_str());
  std::_Exit(static_cast<int>(exit_code::wrong_thread));
}

async::scope& scope_for(dispatcher& d, service_record* owner) {
  registry& r = *d.services;
  return owner ? r.scope_of(*owner) : r.loose;
}

void note_failure(dispatcher& d, service_record* owner, std::exception_ptr why) noexcept {
  registry& r = *d.services;
  if (owner) return r.fail(*owner, std::move(why));
  r.report_made(exit_code::service_failed, [&] { return "a function outside of services failed: " + what_of(why); });
}

async::task<> guarded(worker& w, service_record* owner, async::task<> body) {
  std::exception_ptr failure;
  try {
    co_await std::move(body);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) note_failure(w.events, owner, failure);
}

}  // namespace baton::BATON_VARIANT::service::detail
