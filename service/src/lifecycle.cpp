// SPDX-License-Identifier: MIT
#include <baton/async/with_frame.hpp>
#include <baton/service/registry.hpp>
#include <new>

#include "diagnosis.hpp"

/// The transitions between the phases of a service. The inline functions are called in this file
/// alone; without `inline` each start would cost more.
namespace baton::BATON_VARIANT::service::detail {

BATON_NOINLINE void registry::wake_up() {
  if (is_queued_) return;
  is_queued_ = true;
  ready::push(this);
}

/// Works services off, and begins what follows. True: there is more to do.
bool registry::work_off() {
  for (unsigned left = batch; left != 0; --left) {
    service_record* const e = take();
    if (!e) break;
    try {
      step(*e);
    } catch (...) {  // of a factory, or for want of memory
      step_has_failed(*e);
    }
  }
  keep_limits();
  if (has_work()) return true;
  if (BATON_UNLIKELY(has_expecting()) && slow_ == 0) stop_expecting();
  if (has_work()) return true;
  if (!has_settled_) settle();
  if (is_shutting_down_ && !has_work()) go_on_shutting_down();
  return has_work();
}

point registry::run(job* j, point) {
  registry& r = *static_cast<registry*>(j);
  bool has_more = true;
  try {
    has_more = r.work_off();
  } catch (const std::bad_alloc&) {
    r.report_want();
  }
  if (has_more) return 0;
  ready::leave(&r);
  r.next = nullptr;
  r.is_queued_ = false;
  return suspended;
}

inline void registry::step(service_record& e) {
  switch (e.state) {
    case phase::fresh: {
      ambiguity found;
      change_to(e, phase::waiting);
      install(e, found);
      if (BATON_UNLIKELY(found.requester != nullptr)) return refuse(e, found);
      queue(e);
      return;
    }
    case phase::waiting:
      if (e.is_removed) return erase(e);
      ask_factories(e);
      if (e.is_removed) return erase(e);
      if (should_run(e)) begin_start(e);
      return;
    case phase::starting:
      if (!should_run(e) && e.rare && e.rare->scope) e.rare->scope->stop();
      return;
    case phase::active:
      if (!should_run(e)) begin_leave(e);
      return;
    case phase::leaving:
      return go_on_leaving(e);
    case phase::stopping:
      return;
    case phase::down:
      if (e.is_removed) return erase(e);
      if (!e.has_failed) {
        change_to(e, e.is_installed ? phase::waiting : phase::fresh);
        queue(e);
      }
  }
}

/// ---- Start ----

inline void registry::begin_start(service_record& e) {
  change_to(e, phase::starting);
  e.has_run = false;
  try {
    e.type->construct(e);
    if (e.type->start_task) {
      scope_of(e).spawn(async::with_frame(start_in_coroutine(*this, e)));
      note_slow(e);
      return;
    }
    if (e.type->start) e.type->start(e);
  } catch (...) {
    return start_has_failed(e, std::current_exception());
  }
  has_started(e);
}

async::task<> registry::start_in_coroutine(registry& r, service_record& e) {
  std::exception_ptr failure;
  try {
    co_await async::with_frame(e.type->start_task(e));
  } catch (...) {
    failure = std::current_exception();
  }
  r.forget_slow(e);
  if (failure) {
    r.start_has_failed(e, failure);
  } else {
    try {
      r.has_started(e);
    } catch (const std::bad_alloc&) {  // for a link of it
      r.fail(e, std::current_exception());
    }
  }
  if (!r.is_queued_) r.wake_up();
}

/// Its object, if there is one, has not been provided to any service.
void registry::start_has_failed(service_record& e, std::exception_ptr why) {
  try {
    note_failure_of(e, std::move(why));
  } catch (const std::bad_alloc&) {
    report_want();
  }
  stop_expecting(e);
  begin_stop(e);
}

inline void registry::has_started(service_record& e) {
  change_to(e, phase::active);
  e.has_run = true;
  ++e.starts;
  put_in_order(e);
  if (e.rare && e.rare->supervision) e.rare->started_at = port::now();
  publish(e);
  notify_changed(e);
  if (!should_run(e)) queue(e);
}

/// ---- Stop ----

inline void registry::begin_leave(service_record& e) {
  change_to(e, phase::leaving);
  withdraw(e);
  go_on_leaving(e);
}

/// Stops a service that no dependant has any more and nobody holds. A hold has a limit, as a stop.
inline void registry::go_on_leaving(service_record& e) {
  if (e.held != 0) return;
  if (BATON_LIKELY(!e.holds)) {
    forget_slow(e);
    return begin_stop(e);
  }
  if (!e.is_slow) note_slow(e);
}

/// Ends the registrations and the coroutines of a service, and then calls its stop if it had
/// started.
inline void registry::begin_stop(service_record& e) {
  change_to(e, phase::stopping);
  while (e.subscribers) unsubscribe(*e.subscribers);
  const bool has_coroutines = e.rare && e.rare->scope && e.rare->scope->running() != 0;
  if (has_coroutines || (e.is_in_order && e.type->stop_task)) {
    async::task<> stop = stop_in_coroutine(*this, e);
    if (BATON_LIKELY(stop.has_frame())) {
      note_slow(e);
      own.spawn(std::move(stop));
      return;
    }
    // Its coroutines are destroyed where they wait.
    stop_has_failed(e, std::make_exception_ptr(std::bad_alloc()));
  } else if (e.is_in_order && e.type->stop) {
    try {
      e.type->stop(e);
    } catch (...) {
      stop_has_failed(e, std::current_exception());
    }
  }
  has_stopped(e);
}

/// Stops the coroutines of a service. Null: it has none. The caller joins the scope and resets it;
/// a coroutine that did so would need a frame.
async::scope* registry::stop_coroutines(service_record& e) noexcept {
  if (!e.rare || !e.rare->scope) return nullptr;
  e.rare->scope->stop();
  return &*e.rare->scope;
}

/// Destroys coroutines that have not begun: a stop that is a function, or the destructor, spawned
/// them.
inline void registry::forget_coroutines(service_record& e) noexcept {
  if (!e.rare || !e.rare->scope) return;
  e.rare->scope->destroy_all();
  e.rare->scope.reset();
}

async::task<> registry::stop_in_coroutine(registry& r, service_record& e) {
  if (async::scope* const all = stop_coroutines(e)) {
    co_await all->join_nothrow();
    e.rare->scope.reset();
  }
  std::exception_ptr failure;
  try {
    if (e.is_in_order && e.type->stop_task) co_await async::with_frame(e.type->stop_task(e));
    if (e.is_in_order && e.type->stop) e.type->stop(e);
  } catch (...) {
    failure = std::current_exception();
  }
  if (async::scope* const spawned = stop_coroutines(e)) {  // by the stop
    co_await spawned->join_nothrow();
    e.rare->scope.reset();
  }
  r.forget_slow(e);
  if (failure) r.stop_has_failed(e, failure);
  r.has_stopped(e);
  if (!r.is_queued_) r.wake_up();
}

inline void registry::has_stopped(service_record& e) {
  forget_coroutines(e);
  if (e.object) e.type->destroy(e);
  forget_coroutines(e);
  take_from_order(e);
  queue(e);  // before the providers that wait for it: it starts with another one before the old one stops
  release(e);
  if (BATON_UNLIKELY(e.has_failed)) {
    try {
      after_end(e);
    } catch (const std::bad_alloc&) {
      report_want();
    }
  } else {
    change_to(e, phase::waiting);
  }
  notify_changed(e);
}

/// ---- In the order of the starts ----

inline void registry::put_in_order(service_record& e) noexcept {
  e.is_in_order = true;
  e.older = newest_;
  e.newer = nullptr;
  (newest_ ? newest_->newer : oldest_) = &e;
  newest_ = &e;
}

void registry::take_from_order(service_record& e) noexcept {
  if (!e.is_in_order) return;
  e.is_in_order = false;
  (e.older ? e.older->newer : oldest_) = e.newer;
  (e.newer ? e.newer->older : newest_) = e.older;
}

/// ---- The end of one ----

void registry::erase(service_record& e) {
  if (e.is_queued) return;  // its turn in the work list calls this again
  for (service_record* s = e.scoped; s; s = s->next_scoped) {
    s->requester = nullptr;
    remove(*s);
  }
  if (e.requester) {
    service_record** link = &e.requester->scoped;
    while (*link != &e) link = &(*link)->next_scoped;
    *link = e.next_scoped;
  }
  stop_expecting(e);
  uninstall(e);
  by_number_[e.id.number] = nullptr;
  ++generations_[e.id.number];
  free_numbers_.push_back(e.id.number);
  --live;
  e.type->free(e);
}

}  // namespace baton::BATON_VARIANT::service::detail
