// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/service/registry.hpp>

#include "diagnosis.hpp"

/// The transitions between the phases of a service. The inline functions are called in this file
/// alone; without `inline` each start would cost more.
namespace baton::BATON_VARIANT::service::detail {

/// A number for each worker of the process.
static uint32_t next_worker() noexcept {
  static std::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

registry::registry(worker& at_worker, event_queue& h) noexcept
    : job(&run), worker_number(next_worker()), at(at_worker), events(h) {
  h.services = this;
}
registry::~registry() {
  free_all();
}

void registry::set_factory(interface_id of, factory* f) {
  row(of).made_by = f;
  if (f) ask_for_waiting(of), wake_up();
}

async::scope& registry::scope_of(service_record& e) {
  optional_fields& m = e.more();
  if (!m.scope) m.scope.emplace();
  return *m.scope;
}

optional_fields& service_record::more() {
  if (!rare) rare = std::make_unique<optional_fields>();
  return *rare;
}

optional_fields::optional_fields() = default;
optional_fields::~optional_fields() = default;

void registry::add(service_record& e) {
  if (free_numbers_.empty()) {
    e.id.number = static_cast<uint32_t>(by_number_.size());
    by_number_.push_back(&e);
    generations_.push_back(0);
  } else {
    e.id.number = free_numbers_.back();
    free_numbers_.pop_back();
    by_number_[e.id.number] = &e;
  }
  e.id.worker = worker_number;
  e.id.generation = generations_[e.id.number];
  ++live;
  e.is_late = has_begun_;
  look_at(e);
}

void registry::begin() {
  is_queued_ = false;
  has_begun_ = true;
  if (options.tells_changes) announces_ = true;
  wake_up();
}

BATON_NOINLINE void registry::wake_up() {
  if (is_queued_) return;
  is_queued_ = true;
  ready::push(this);
}

point registry::run(job* j, point) {
  registry& r = *static_cast<registry*>(j);
  for (unsigned left = batch; left != 0; --left) {
    service_record* const e = r.take();
    if (!e) break;
    r.step(*e);
  }
  if (r.has_work()) return 0;
  if (BATON_UNLIKELY(r.has_expecting()) && r.slow_ == 0) r.stop_expecting();
  if (r.has_work()) return 0;
  if (!r.has_settled_) r.settle();
  if (r.is_shutting_down_ && !r.has_work()) r.go_on_shutting_down();
  if (r.has_work()) return 0;
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
        change_to(e, phase::waiting);
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
      note_slow(e);
      scope_of(e).spawn(start_in_coroutine(*this, e));
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
    co_await e.type->start_task(e);
  } catch (...) {
    failure = std::current_exception();
  }
  r.forget_slow(e);
  if (failure) {
    r.start_has_failed(e, failure);
  } else {
    r.has_started(e);
  }
  if (!r.is_queued_) r.wake_up();
}

/// Its object, if there is one, has not been provided to any service.
inline void registry::start_has_failed(service_record& e, std::exception_ptr why) {
  note_failure_of(e, std::move(why));
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
    note_slow(e);
    own.spawn(stop_in_coroutine(*this, e));
    return;
  }
  if (e.is_in_order && e.type->stop) {
    try {
      e.type->stop(e);
    } catch (...) {
      report(exit_code::stop_failed, stop_failed(e, std::current_exception()));
    }
  }
  has_stopped(e);
}

async::task<> registry::end_coroutines(service_record& e) {
  if (!e.rare || !e.rare->scope) co_return;
  e.rare->scope->stop();
  co_await e.rare->scope->join_nothrow();
  e.rare->scope.reset();
}

/// Destroys coroutines that have not begun: a stop that is a function, or the destructor, spawned
/// them.
inline void registry::forget_coroutines(service_record& e) noexcept {
  if (!e.rare || !e.rare->scope) return;
  e.rare->scope->destroy_all();
  e.rare->scope.reset();
}

async::task<> registry::stop_in_coroutine(registry& r, service_record& e) {
  co_await end_coroutines(e);
  std::exception_ptr failure;
  try {
    if (e.is_in_order && e.type->stop_task) co_await e.type->stop_task(e);
    if (e.is_in_order && e.type->stop) e.type->stop(e);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await end_coroutines(e);  // coroutines that the stop spawned
  r.forget_slow(e);
  if (failure) r.report(exit_code::stop_failed, stop_failed(e, failure));
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
    after_end(e);
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
