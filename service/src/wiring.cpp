// SPDX-License-Identifier: MIT
#include "wiring.hpp"

#include <algorithm>

namespace baton::BATON_VARIANT::service::detail {

/// The providers of each interface that serve more than one requester, the best rank first.
static std::vector<std::vector<provided_interface*>> providers_of(const registry& from) {
  std::vector<std::vector<provided_interface*>> all;
  from.visit([&](service_record& e) {
    if (e.requester || e.is_removed) return;
    for (size_t i = 0; i != e.type->provides.size(); ++i) {
      const interface_id of = e.type->provides[i].of;
      if (of >= all.size()) all.resize(size_t{of} + 1);
      e.provided_interfaces[i].of = &e;
      all[of].push_back(&e.provided_interfaces[i]);
    }
  });
  for (auto& each : all)
    std::stable_sort(each.begin(), each.end(), [](const auto* a, const auto* b) { return a->rank > b->rank; });
  return all;
}

bool has_interface(const service_record& e, interface_id of) {
  return std::any_of(e.type->provides.begin(), e.type->provides.end(), [&](const auto& i) { return i.of == of; });
}

wiring::wiring(registry& of, const std::vector<interface_id>& later) {
  const providers all = providers_of(of);
  std::vector<const service_record*> makers;
  of.visit([&](service_record& e) {
    add(of, e, all, later);
    if (e.type->makes && !e.is_removed) makers.push_back(&e);
  });
  for (const service_record* m : makers) add_made(of, *m, all, later);
  find_startable();
}

/// A made service has the properties and the filters of its maker.
void wiring::add_made(registry& from, const service_record& maker, const providers& all,
                      const std::vector<interface_id>& later) {
  service_record& one = *made_.emplace_back(std::make_unique<service_record>(maker.type->makes(), from));
  one.id.number = static_cast<uint32_t>(nodes_.size());
  one.is_enabled = may_serve(maker);
  if (maker.rare) {
    one.more().properties = maker.rare->properties;
    one.more().filters = maker.rare->filters;
  }
  add(from, one, all, later);
  nodes_.back().maker = &maker;
}

void wiring::add(registry& from, service_record& e, const providers& all, const std::vector<interface_id>& later) {
  if (e.id.number >= nodes_.size()) nodes_.resize(size_t{e.id.number} + 1);
  node& n = nodes_[e.id.number];
  n.service = &e;
  for (const dependency& d : e.type->needs) {
    need_of need{&d, {}, false};
    for (service_record* s = e.scoped; s; s = s->next_scoped) {
      if (has_interface(*s, d.of)) need.suitors.push_back(s);
    }
    if (d.of < all.size()) {
      for (const provided_interface* p : all[d.of]) {
        if (suits(e, d, *p->of)) need.suitors.push_back(p->of);
      }
    }
    const bool has_none = d.of >= all.size() || all[d.of].empty();
    need.is_made = (has_none && from.row(d.of).made_by) || std::find(later.begin(), later.end(), d.of) != later.end();
    n.needs.push_back(std::move(need));
  }
}

/// Counts the lacks as if no service could start, and lets those that lack nothing start, one after
/// the other. The rest is in a cycle, or requires what is missing.
void wiring::find_startable() {
  struct use {
    node* by;
    size_t need;
  };
  std::vector<std::vector<use>> uses(nodes_.size());
  std::vector<node*> starting;
  for (node& n : nodes_) {
    if (!n.service) continue;
    for (size_t i = 0; i != n.needs.size(); ++i) {
      if (!needs_one(n.needs[i].what->kind) || n.needs[i].is_made) continue;
      ++n.lacks;
      for (const service_record* s : n.needs[i].suitors) uses[s->id.number].push_back({&n, i});
    }
    if (n.can_start()) starting.push_back(&n);
  }
  std::vector<std::vector<bool>> is_filled(nodes_.size());
  while (!starting.empty()) {
    const node& started = *starting.back();
    starting.pop_back();
    for (const use& u : uses[started.service->id.number]) {
      std::vector<bool>& filled = is_filled[u.by->service->id.number];
      filled.resize(u.by->needs.size());
      if (filled[u.need]) continue;
      filled[u.need] = true;
      if (--u.by->lacks == 0 && u.by->can_start()) starting.push_back(u.by);
    }
  }
}

bool wiring::is_filled(const need_of& n) const noexcept {
  if (!needs_one(n.what->kind) || n.is_made) return true;
  return std::any_of(n.suitors.begin(), n.suitors.end(), [&](const auto* s) { return of(*s).can_start(); });
}

const dependency* wiring::first_lack(const service_record& e) const {
  for (const need_of& n : of(e).needs) {
    if (!is_filled(n)) return n.what;
  }
  return nullptr;
}

service_record* wiring::provider_to_be(const service_record& requester, const dependency& d) const {
  for (const need_of& n : of(requester).needs) {
    if (n.what == &d) return n.suitors.empty() ? nullptr : n.suitors.front();
  }
  return nullptr;
}

}  // namespace baton::BATON_VARIANT::service::detail
