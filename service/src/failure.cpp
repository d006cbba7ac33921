// SPDX-License-Identifier: MIT
#include <baton/service/worker.hpp>
#include <new>

#include "diagnosis.hpp"

/// Services that fail: mistakes of an add, failures, pauses, restarts.
namespace baton::BATON_VARIANT::service::detail {

void registry::note_failure_of(service_record& e, std::exception_ptr why) {
  optional_fields& m = e.more();  // first: what follows a failure needs them
  e.has_failed = true;
  ++m.failures;
  m.failure = std::move(why);
}

/// Decides about a service with which a requirement has two providers. Before the program runs that
/// is a mistake of the program. Later it is one of the service, which stays down.
BATON_NOINLINE void registry::refuse(service_record& e, const ambiguity& found) {
  const std::string text = two_providers(found);
  if (!e.is_late) {
    queue(e);
    return report(exit_code::two_providers, text);
  }
  note_failure_of(e, std::make_exception_ptr(std::runtime_error(text)));
  change_to(e, phase::down);
  tell(in_quotes(e.name()) + " is refused: " + text);
  notify_changed(e);
}

/// The reason of a change that is about to be told.
static std::string reason_of(const registry& r, const service_record& e, phase from) {
  const optional_fields* const m = e.rare.get();
  if (e.has_failed && m) return what_of(m->failure);
  if (from == phase::down) return m && m->restarts != 0 ? "restart " + std::to_string(m->restarts) + " in a row" : "";
  if (e.state < phase::leaving) return {};  // it starts, or has stopped
  if (e.is_removed) return "it is removed";
  if (!e.is_enabled) return r.is_shutting_down() ? "the program ends" : "it is stopped";
  return "a provider that it requires goes";
}

/// A change that there is no memory or no room for is not told.
BATON_NOINLINE void registry::announce(const service_record& e, phase from) noexcept {
  const bool is_heard = events.is_heard(id_of_event<service_changed>);
  announces_ = is_heard || options.tells_changes;
  if (!announces_) return;
  try {
    service_changed all{e.id, std::string(e.name()), from, e.state, reason_of(*this, e, from)};
    if (options.tells_changes)
      tell(in_quotes(all.name) + " is " + std::string(name_of(e.state)) + (all.why.empty() ? "" : ": " + all.why));
    if (is_heard)
      static_cast<void>(events.push(e.id.number, priority::normal,
                                    boxed<service_changed>{std::make_unique<service_changed>(std::move(all))}));
  } catch (...) {
    return;
  }
}

bool registry::tell_foreign() const {
  tell("the worker " + in_quotes(at.name) + " refuses a call with the id of a service of another worker");
  return true;
}

/// Lets a service that is down start again, by hand. A pause before its restart ends.
void registry::forgive(service_record& e) noexcept {
  e.has_failed = false;
  if (!e.is_backing_off) return;
  e.is_backing_off = false;
  e.rare->cut_short.set();
  e.rare->cut_short.reset();
}

void registry::fail(service_record& e, std::exception_ptr why) {
  if (e.has_failed || !e.is_constructed()) return;
  try {
    note_failure_of(e, std::move(why));
  } catch (const std::bad_alloc&) {
    return report_want();
  }
  look_at(e);
}

/// Decides about a service for whose transition there was no memory: it has failed. If it has no
/// object yet, it is down.
void registry::step_has_failed(service_record& e) {
  if (!e.is_installed) uninstall(e);
  if (e.state == phase::starting && !e.is_slow) return start_has_failed(e, std::current_exception());
  if (e.is_constructed()) return fail(e, std::current_exception());
  note_failure_of(e, std::current_exception());
  after_end(e);
  notify_changed(e);
}

void registry::stop_has_failed(const service_record& e, const std::exception_ptr& why) noexcept {
  report_made(exit_code::stop_failed, [&] { return stop_failed(e, why); });
}

void hook_failed(service_record& owner, std::exception_ptr why) noexcept {
  owner.owning_registry->fail(owner, std::move(why));
}

/// The pause before the next restart; doubled for each restart in a row.
static duration pause_before_restart(const back_off& b, uint32_t restarts) {
  duration pause = b.first;
  for (uint32_t i = 0; i < restarts && pause < b.longest; ++i) pause += pause;
  return pause < b.longest ? pause : b.longest;
}

/// Decides about a service that failed and is destroyed: a restart, staying down, or the end of the
/// program.
void registry::after_end(service_record& e) {
  change_to(e, phase::down);
  optional_fields& m = *e.rare;
  if (m.supervision && !is_shutting_down_ && !e.is_removed) {
    if (e.has_run && port::now() - m.started_at >= m.supervision->longest) m.restarts = 0;
    if (m.restarts < m.supervision->most && back_off_of(e)) return;
  }
  if (e.on_failure == after_failure::end_application && !e.is_removed)
    return report(e.has_run ? exit_code::service_failed : exit_code::start_failed, failed(e, m.failure));
  tell_made([&] { return failed(e, m.failure) + "\n  it stays down"; });
}

/// Begins the pause before a restart. False: there is no memory for it, so the failure stands.
bool registry::back_off_of(service_record& e) {
  optional_fields& m = *e.rare;
  const duration pause = pause_before_restart(*m.supervision, m.restarts);
  async::task<> later = restart_later(*this, e.id, pause, m.back_off_count + 1);
  if (!later.has_frame()) return false;
  ++m.back_off_count;
  ++m.restarts;
  e.is_backing_off = true;
  own.spawn(std::move(later));
  tell_made([&] { return restarts_in(e, m.failure, pause); });
  return true;
}

async::task<> registry::restart_later(registry& r, service_id id, duration pause, uint32_t number) {
  service_record* e = r.find(id);
  if (!e || !e->is_backing_off || e->rare->back_off_count != number) co_return;
  const status ended = co_await async::within(pause, e->rare->cut_short.wait());
  e = r.find(id);
  if (ended != status::timed_out || !e || !e->is_backing_off || e->rare->back_off_count != number) co_return;
  e->is_backing_off = false;
  e->has_failed = false;
  ++e->rare->all_restarts;
  r.look_at(*e);
}

}  // namespace baton::BATON_VARIANT::service::detail
