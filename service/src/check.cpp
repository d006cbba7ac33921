// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/service/application.hpp>

#include "wiring.hpp"

/// The mistakes that a start would find, found without one.
namespace baton::BATON_VARIANT::service {
namespace detail {

static void find_two_providers(const wiring::node& n, std::vector<mistake>& found) {
  for (const wiring::need_of& need : n.needs) {
    if (need.what->kind != service::need::required) continue;
    service_record* best = nullptr;
    for (service_record* s : need.suitors) {
      if (!may_serve(*s) || s->requester) continue;
      if (best && s->rank() == best->rank()) {
        found.push_back({exit_code::two_providers, two_providers({n.service, best, s, need.what->name})});
        return;
      }
      if (best) break;
      best = s;
    }
  }
}

/// Each text once: the services of a cycle have the same one.
static void find_lack(const wiring& all, service_record& e, std::vector<mistake>& found) {
  const lack l = lack_of(all, e);
  if (waits_for_failed(l)) return;
  std::string text = in_words(l, e.owning_registry->options.step_limit);
  if (all.of(e).maker) text += "\n  " + in_quotes(e.name()) + " is made when a provider asks, and would wait for it";
  if (std::any_of(found.begin(), found.end(), [&](const mistake& m) { return m.text == text; })) return;
  found.push_back({l.is_cycle ? exit_code::cycle : exit_code::missing_provider, std::move(text)});
}

static void find_mistakes(registry& in, const std::vector<interface_id>& later, std::vector<mistake>& found) {
  const wiring all(in, later);
  for (const wiring::node& n : all.nodes()) {
    if (n.service && may_serve(*n.service)) find_two_providers(n, found);
  }
  if (in.options.waits_for_providers) return;
  for (const wiring::node& n : all.nodes()) {
    if (n.service && may_serve(*n.service) && !n.can_start()) find_lack(all, *n.service, found);
  }
}

static bool has_provider(const registry& r, interface_id what) {
  bool does = false;
  r.visit([&](const service_record& e) { does |= !e.requester && may_serve(e) && has_interface(e, what); });
  return does;
}

}  // namespace detail

std::vector<mistake> application::mistakes(const std::vector<detail::interface_id>& later) {
  std::vector<mistake> found;
  for (size_t i = 0; i != workers(); ++i) {
    detail::worker& w = worker(i);
    w.check();
    std::vector<detail::interface_id> given = later;
    for (const auto& one : w.services.imports()) {
      for (size_t j = 0; j != workers(); ++j) {
        if (j != i && detail::has_provider(worker(j).services, one.from)) given.push_back(one.of);
      }
    }
    detail::find_mistakes(w.services, given, found);
  }
  return found;
}

}  // namespace baton::BATON_VARIANT::service
