// SPDX-License-Identifier: MIT
#pragma once

#include <baton/provided/home_report.hpp>
#include <baton/service/application.hpp>
#include <memory>

namespace baton::provided {

/// Looks at a program: which services there are, what they wait for, and how their homes' queues do.
///
///     reporter(required<introspection> i) { std::puts(i->report().json().c_str()); }
///
/// Context  its home's thread. Other homes are asked by an event of the highest priority, and look at themselves.
/// Cost     `report` O(services + dependencies), with a string for each name. Nothing between reports.
class introspection {
 public:
  explicit introspection(service::context here) noexcept : here_(here) {}

  /// Of its own home.
  home_report report() const { return of(here_.home()); }

  /// Of all homes. One that does not answer for so long is there by its name alone.
  async::task<program_report> whole(tick patience = seconds(1)) const { return ask_all(here_, patience); }

 private:
  /// Who asks and who answers share it: either may be gone before the other.
  struct inquiry {
    program_report report;
    size_t missing = 0;
    bool is_over = false;
    async::manual_event done;
  };

  static async::task<program_report> ask_all(service::context here, tick patience) {
    const auto all = std::make_shared<inquiry>();
    here.program().visit_homes([&](service::detail::home& h) { ask(all, here, h); });
    if (all->missing != 0) {
      const status waited = co_await async::within(patience, all->done.wait());
      static_cast<void>(waited);  // what has come has come
    }
    all->is_over = true;
    co_return std::move(all->report);
  }

  static void ask(const std::shared_ptr<inquiry>& all, service::context asker, service::detail::home& h) {
    const size_t place = all->report.homes.size();
    home_report& r = all->report.homes.emplace_back();
    if (&h == &asker.home()) {
      r = of(h);
      return;
    }
    r.name = h.name;
    r.has_answered = false;
    const status asked = asker.program().post(
        service::context(h, nullptr), [all, place, asker, &h] { answer(all, place, asker, of(h)); },
        service::priority::highest);
    if (asked == status::ok) ++all->missing;
  }

  /// On the thread of who was asked.
  static void answer(const std::shared_ptr<inquiry>& all, size_t place, service::context asker, home_report r) {
    const status told = asker.program().post(
        asker, [all, place, r = std::move(r)]() mutable { take(*all, place, std::move(r)); },
        service::priority::highest);
    static_cast<void>(told);  // the asker's home has ended
  }
  static void take(inquiry& all, size_t place, home_report&& r) {
    if (all.is_over) return;
    all.report.homes[place] = std::move(r);
    if (--all.missing == 0) all.done.set();
  }

  static home_report of(service::detail::home& h) {
    home_report all;
    all.name = h.name;
    all.waiting_events = h.events.waiting();
    all.handled_events = h.events.handled();
    all.dropped_events = h.lost();
    h.services.visit([&](const service::detail::entry& e) { all.services.push_back(of(e)); });
    return all;
  }
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
