// SPDX-License-Identifier: MIT
#include <baton/async/with_frame.hpp>
#include <baton/service/application.hpp>

#include "diagnosis.hpp"

namespace baton::BATON_VARIANT::service {

status context::run(async::task<> t, priority p) const {
  async::task<> whole = async::with_frame(detail::guarded(*worker_, self_, async::with_frame(std::move(t))));
  return worker_->events.push(number(), p, detail::task_event{std::move(whole), self_});
}

void context::spawn(async::task<> t) const {
  worker_->check();
  async::task<> whole = async::with_frame(detail::guarded(*worker_, self_, async::with_frame(std::move(t))));
  detail::scope_for(worker_->events, self_).spawn(std::move(whole));
}

void context::tell(const std::string& line) const {
  worker_->check();
  worker_->services.tell(line);
}

void context::fail(const std::string& why) const {
  worker_->check();
  detail::note_failure(worker_->events, self_, std::make_exception_ptr(std::runtime_error(why)));
}

void context::quit(int code) const {
  program().quit(code);
}

/// Waits until a service is active, or until it is not there.
static async::task<status> in_phase(detail::worker* w, service_id s, bool active) {
  if (w->services.is_foreign(s)) co_return status::closed;
  for (;;) {
    detail::service_record* const e = w->services.find(s);
    if (!e) co_return active ? status::closed : status::ok;
    const bool is_there = active ? e->state == phase::active : !e->is_constructed() && e->state != phase::fresh;
    if (is_there) co_return status::ok;
    if (active && e->state == phase::down && e->has_failed && !e->is_backing_off) co_return status::closed;
    const status waited = co_await e->more().changed.wait();
    if (waited == status::cancelled) co_return waited;
  }
}

namespace detail {

async::task<status> until_made(registry& r, service_id made) {
  for (;;) {
    service_record* const e = r.find(made);
    if (!e || e->is_removed || !e->is_enabled || e->has_failed) co_return status::closed;
    if (e->state == phase::active) co_return status::ok;
    const status waited = co_await e->more().changed.wait();
    if (waited == status::cancelled) co_return waited;
  }
}

}  // namespace detail

std::string context::failure_of(service_id s) const {
  worker_->check();
  if (worker_->services.is_foreign(s)) return {};
  const detail::service_record* const e = worker_->services.find(s);
  return e && e->rare && e->rare->failure ? detail::what_of(e->rare->failure) : std::string();
}

async::task<status> context::started(service_id s) const {
  return async::with_frame(in_phase(worker_, s, true));
}
async::task<status> context::stopped(service_id s) const {
  return async::with_frame(in_phase(worker_, s, false));
}

}  // namespace baton::BATON_VARIANT::service
