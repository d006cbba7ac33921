// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/service/registry.hpp>
#include <new>

#include "diagnosis.hpp"

/// The beginning and the end of a worker's services, and the supervision of slow ones.
namespace baton::BATON_VARIANT::service::detail {

void registry::begin() {
  is_queued_ = false;
  has_begun_ = true;
  if (options.tells_changes) announces_ = true;
  for (const imported_interface& i : imports_) i.begin(at);
  wake_up();
}

/// ---- Nothing is left to do ----

/// Called when the work list is empty: the handling of events begins. When no start is on its way
/// either, services that lack a provider are a mistake, which is reported.
void registry::settle() {
  if (!handles_events_) {
    handles_events_ = true;
    events.begin();
  }
  if (slow_ != 0) return;
  const bool looks = !is_shutting_down_ && !options.waits_for_providers;
  const after_starts next = looks ? look_for_lacks() : after_starts::go_on;
  if (next == after_starts::wait) return limit_wait_for_others();
  has_settled_ = true;
  if (!is_shutting_down_ && on_settled) on_settled();
}

/// Reports the services that wait for a provider. One that waits for another worker has some time.
registry::after_starts registry::look_for_lacks() {
  after_starts next = after_starts::go_on;
  for (service_record* e : by_number_) {
    if (!e || e->state != phase::waiting || !e->is_enabled || e->unsatisfied == 0) continue;
    const lack found = lack_of(links_of(*this), *e);
    if (waits_for_failed(found)) continue;
    if (waits_for_other_worker(found) && !others_are_late_) {
      next = after_starts::wait;
      continue;
    }
    report(found.is_cycle ? exit_code::cycle : exit_code::missing_provider,
           all_lacks(links_of(*this), by_number_, options.step_limit));
    return after_starts::go_on;
  }
  return next;
}

/// ---- Providers on other workers ----

void registry::add_import(imported_interface i) {
  if (std::any_of(imports_.begin(), imports_.end(), [&](const imported_interface& one) { return one.of == i.of; }))
    return;
  imports_.push_back(i);
  if (has_begun_) i.begin(at);
}

void registry::limit_wait_for_others() {
  if (std::exchange(waits_for_others_, true)) return;
  own.spawn(wait_for_others(*this));
}

async::task<> registry::wait_for_others(registry& r) {
  const status slept = co_await async::sleep_for(r.options.step_limit);
  if (slept != status::ok) co_return;
  r.others_are_late_ = true;
  r.wake_up();
}

void registry::report(exit_code c, const std::string& text) {
  if (!has_reported_ && on_report) on_report(c, text);
  has_reported_ = true;
  shut_down();
}

/// At the second want of memory the text of the first is not told.
void registry::report_want() noexcept {
  try {
    report(exit_code::out_of_memory, "out of memory");  // so short that it needs none
  } catch (const std::bad_alloc&) {
    has_reported_ = true;
    shut_down();
  }
}

/// ---- Starts and stops that are coroutines ----

void registry::note_slow(service_record& e) noexcept {
  e.is_slow = true;
  e.slow_since = port::now();
  e.slow_before = slow_last_;
  e.slow_next = nullptr;
  (slow_last_ ? slow_last_->slow_next : slow_first_) = &e;
  slow_last_ = &e;
  ++slow_;
  keep_limits();
}

/// Begins the coroutines that watch the limits. One for which there is no memory is begun at a
/// later turn of the registry.
void registry::keep_limits() noexcept {
  const auto begin = [this](bool& is_there, async::task<> t) {
    if (!t.has_frame()) return;
    is_there = true;
    own.spawn(std::move(t));
  };
  if (slow_first_ && !is_watching_) begin(is_watching_, watch(*this));
  if (is_shutting_down_ && !limits_shutdown_) begin(limits_shutdown_, limit_shutdown(*this));
}

void registry::forget_slow(service_record& e) noexcept {
  if (!e.is_slow) return;
  e.is_slow = false;
  (e.slow_before ? e.slow_before->slow_next : slow_first_) = e.slow_next;
  (e.slow_next ? e.slow_next->slow_before : slow_last_) = e.slow_before;
  --slow_;
}

/// Reports starts and stops that take too long. Slow services are listed in the order of their
/// deadlines.
async::task<> registry::watch(registry& r) {
  while (r.slow_first_) {
    const tick due = r.slow_first_->slow_since + r.options.step_limit;
    const status slept = co_await async::sleep_until(due);
    if (slept != status::ok) break;
    service_record* const e = r.slow_first_;
    if (!e || port::now() - e->slow_since < r.options.step_limit) continue;
    const bool is_start = e->state == phase::starting;
    r.forget_slow(*e);
    r.note_slow(*e);
    if (e->state == phase::leaving && r.fail_holders(*e)) continue;
    r.report_made(is_start ? exit_code::start_never_ended : exit_code::stop_never_ended,
                  [&] { return never_ended(*e, r.options.step_limit); });
  }
  r.is_watching_ = false;
}

/// The failure of a service that holds `e` too long; std::bad_alloc if there is no memory for it.
static std::exception_ptr held_failure(const service_record& e, duration limit) noexcept {
  try {
    return std::make_exception_ptr(std::runtime_error(held_too_long(e, limit)));
  } catch (const std::bad_alloc&) {
    return std::current_exception();
  }
}

/// Fails the services that hold one which wants to stop. False: all of them have failed before.
bool registry::fail_holders(service_record& e) {
  bool has_failed_one = false;
  for (hold_record* h = e.holds; h; h = h->next) {
    service_record& holder = *h->holder;
    if (holder.has_failed || !holder.is_constructed()) continue;
    fail(holder, held_failure(e, options.step_limit));
    has_failed_one = true;
  }
  return has_failed_one;
}

void take_hold(hold_record& h, const link& on) noexcept {
  service_record& provider = *on.provider;
  h = {&provider, on.to->owner, provider.holds, &provider.holds};
  if (h.next) h.next->link = &h.next;
  provider.holds = &h;
}
void move_hold(hold_record& to, hold_record& from) noexcept {
  to = std::exchange(from, hold_record{});
  if (!to.provider) return;
  *to.link = &to;
  if (to.next) to.next->link = &to.next;
}
bool is_leaving(const hold_record& h) noexcept {
  return h.provider->state == phase::leaving;
}
void drop_hold(hold_record& h) noexcept {
  service_record& provider = *h.provider;
  *h.link = h.next;
  if (h.next) h.next->link = h.link;
  h = hold_record{};
  if (!provider.holds && provider.state == phase::leaving) provider.owning_registry->look_at(provider);
}

/// ---- The end of all ----

void registry::shut_down() {
  if (is_shutting_down_) return;
  is_shutting_down_ = true;
  keep_limits();
  loose.stop();
  for (service_record* e = slow_first_; e; e = e->slow_next) queue(*e);
  if (!is_queued_) wake_up();
}

/// Stops one service at a time, so that the order is the reverse of the starts however long a stop
/// takes.
void registry::go_on_shutting_down() {
  if (has_ended_) return;
  if (newest_) {
    if (newest_->state != phase::active || !newest_->is_enabled) return;
    newest_->is_enabled = false;
    return queue(*newest_);
  }
  if (slow_ != 0) return;
  if (live != 0) {
    for (service_record* e : by_number_) {
      if (e && !e->is_removed) remove(*e);
    }
    return;
  }
  end();
}

void registry::end() {
  if (has_ended_) return;
  has_ended_ = true;
  ended.set();
}

async::task<> registry::limit_shutdown(registry& r) {
  const status slept = co_await async::sleep_for(r.options.shutdown_limit);
  if (slept != status::ok || r.has_ended_) co_return;
  r.report_made(exit_code::stop_never_ended,
                [&] { return shutdown_never_ended(r.newest_, r.slow_first_, r.options.shutdown_limit); });
  r.end();
}

/// Destroys coroutines that have not ended, wherever they wait.
void registry::abandon() noexcept {
  is_queued_ = true;  // a hold that goes with a coroutine queues nothing any more
  for (service_record* e : by_number_) {
    if (e && e->rare && e->rare->scope) e->rare->scope->destroy_all();
  }
  loose.destroy_all();
  own.destroy_all();
}

void registry::free_all() noexcept {
  while (newest_) {
    service_record& e = *newest_;
    take_from_order(e);
    while (e.subscribers) unsubscribe(*e.subscribers);
    e.type->destroy(e);
  }
  for (service_record* e : by_number_) {
    if (!e) continue;
    while (e->subscribers) unsubscribe(*e->subscribers);
    if (e->object) e->type->destroy(*e);
  }
  for (service_record* e : by_number_) {
    if (e) uninstall(*e);  // all of them before one is freed, because they are linked
  }
  for (service_record*& e : by_number_) {
    if (service_record* const gone = std::exchange(e, nullptr)) gone->type->free(*gone);
  }
  oldest_ = nullptr;
  live = 0;
}

}  // namespace baton::BATON_VARIANT::service::detail
