// SPDX-License-Identifier: MIT
#include <baton/service/registry.hpp>

#include "diagnosis.hpp"

/// Services that fail: mistakes of an add, failures, pauses, restarts.
namespace baton::BATON_VARIANT::service::detail {

void registry::note_failure_of(service_record& e, std::exception_ptr why) {
  optional_fields& m = e.more();
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
  e.state = phase::down;
  tell(in_quotes(e.name()) + " is refused: " + text);
  notify_changed(e);
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
  note_failure_of(e, std::move(why));
  look_at(e);
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
  e.state = phase::down;
  optional_fields& m = *e.rare;
  if (m.supervision && !is_shutting_down_ && !e.is_removed) {
    if (e.has_run && port::now() - m.started_at >= m.supervision->longest) m.restarts = 0;
    if (m.restarts < m.supervision->most) return back_off_of(e);
  }
  if (e.on_failure == after_failure::end_application && !e.is_removed)
    return report(e.has_run ? exit_code::service_failed : exit_code::start_failed, failed(e, m.failure));
  tell(failed(e, m.failure) + "\n  it stays down");
}

void registry::back_off_of(service_record& e) {
  optional_fields& m = *e.rare;
  const duration pause = pause_before_restart(*m.supervision, m.restarts);
  ++m.restarts;
  e.is_backing_off = true;
  tell(restarts_in(e, m.failure, pause));
  own.spawn(restart_later(*this, e.id, pause, ++m.back_off_count));
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
