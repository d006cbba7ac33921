// SPDX-License-Identifier: MIT
#include <baton/service/worker_handle.hpp>

#include "diagnosis.hpp"

namespace baton::BATON_VARIANT::service {
namespace detail {
namespace {

dependency_snapshot snapshot_of(const dependency& d, const slot& s) {
  dependency_snapshot all{std::string(d.name), d.kind, {}};
  for (const link* l = s.first; l; l = l->next_of_slot) all.providers.emplace_back(l->provider->name());
  return all;
}

service_snapshot snapshot_of(const service_record& e) {
  service_snapshot all{std::string(e.name()), e.id, e.state, {}, {}, {}};
  for (const implemented_interface& p : e.type->provides) all.interfaces.emplace_back(p.name);
  for (size_t i = 0; i != e.type->needs.size(); ++i) {
    all.dependencies.push_back(snapshot_of(e.type->needs[i], e.slots[i]));
  }
  for (const link* l = e.dependants; l; l = l->next_of_provider) all.dependants.emplace_back(l->to->owner->name());
  if (e.rare && e.rare->scope) all.coroutines = e.rare->scope->running();
  all.rank = e.rank();
  all.starts = e.starts;
  if (const optional_fields* const m = e.rare.get(); m && m->failure) {
    all.failures = m->failures;
    all.restarts = m->all_restarts;
    all.failure = what_of(m->failure);
  }
  return all;
}

}  // namespace
}  // namespace detail

worker_snapshot worker_handle::snapshot() const {
  worker_->check();
  worker_snapshot all{worker_->name, worker_->events.waiting(), worker_->events.handled(), worker_->lost(), {}};
  worker_->services.visit([&](const detail::service_record& e) { all.services.push_back(detail::snapshot_of(e)); });
  return all;
}

}  // namespace baton::BATON_VARIANT::service
