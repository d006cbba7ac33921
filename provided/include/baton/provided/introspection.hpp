// SPDX-License-Identifier: MIT
#pragma once

#include <baton/provided/home_report.hpp>
#include <baton/service/context.hpp>

namespace baton::provided {

/// Looks at the home that it lives in: which services there are, what they wait for, and how its queue does.
///
///     reporter(required<introspection> i) { std::puts(i->report().json().c_str()); }
///
/// Context  its home's thread. Another home's is asked for by an event.
/// Cost     `report` O(services + dependencies), with a string for each name. Nothing between reports.
class introspection {
 public:
  explicit introspection(service::context here) noexcept : here_(here) {}

  home_report report() const {
    service::detail::home& h = here_.home();
    home_report all;
    all.name = h.name;
    all.waiting_events = h.events.waiting();
    all.handled_events = h.events.handled();
    all.dropped_events = h.lost();
    h.services.visit([&](const service::detail::entry& e) { all.services.push_back(of(e)); });
    return all;
  }

 private:
  static service_report of(const service::detail::entry& e) {
    service_report r;
    r.name = e.name();
    r.id = e.id;
    r.phase = name_of(e.now);
    for (const service::detail::provided_interface& p : e.type->provides) r.interfaces.emplace_back(p.name);
    for (size_t i = 0; i != e.type->needs.size(); ++i) r.dependencies.push_back(of(e.type->needs[i], e.slots[i]));
    for (const service::detail::link* l = e.dependants; l; l = l->next_of_provider) {
      r.dependants.emplace_back(l->to->owner->name());
    }
    if (e.rare && e.rare->scope) r.coroutines = e.rare->scope->running();
    return r;
  }
  static dependency_report of(const service::detail::dependency& d, const service::detail::slot& s) {
    dependency_report r{std::string(d.name), name_of(d.kind), {}};
    for (const service::detail::link* l = s.first; l; l = l->next_of_slot)
      r.providers.emplace_back(l->provider->name());
    return r;
  }
  static std::string name_of(service::detail::need n) {
    constexpr const char* names[] = {"required", "optional", "many"};
    return names[static_cast<uint8_t>(n)];
  }
  static std::string name_of(service::detail::phase p) {
    constexpr const char* names[] = {"fresh", "waiting", "starting", "active", "leaving", "stopping", "down"};
    return names[static_cast<uint8_t>(p)];
  }

  const service::context here_;
};

}  // namespace baton::provided
