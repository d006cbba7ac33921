// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/interface_table.hpp>
#include <baton/service/suitors.hpp>

/// Finds a provider for each dependency, and queues the services whose state that changes.
namespace baton::BATON_VARIANT::service::detail {

/// The interfaces of a worker, with the providers of each and the dependencies on it.
///
/// Cost     a lookup of a dependency: the interface's active providers up to the first that fits.
///          The start of a provider: the slots that wait for its interfaces, without those that
///          expect another one; suitors.hpp.
class link_table : public interface_table {
 public:
  /// Makes the rows of a service's interfaces, so that no later change of it needs memory for one.
  void need_rows(const service_type& t) {
    for (const implemented_interface& i : t.provides) row(i.of);
    for (const dependency& d : t.needs) row(d.of);
  }

 protected:
  /// Enters a fresh service: its provided interfaces are listed, not yet active, and its
  /// dependencies are looked up.
  void install(service_record& e, ambiguity& found) {
    if (!e.requester) {
      for (size_t i = 0; i != e.type->provides.size(); ++i) {
        interface_row& w = row(e.type->provides[i].of);
        provided_interface& p = e.provided_interfaces[i];
        p.of = &e;
        w.install(p);
        if (BATON_UNLIKELY(w.installed > 1 && w.required != 0))
          look_for_added(w, e.type->provides[i].of, p, found), note_expecting(w);
      }
    }
    for (size_t i = 0; i != e.type->needs.size(); ++i) install(e, e.slots[i], e.type->needs[i], found);
    e.is_installed = true;
  }

  /// Takes a service out of all lists. It has no dependants, and its object is destroyed.
  void uninstall(service_record& e) {
    e.is_installed = false;
    e.unsatisfied = 0;
    for (size_t i = 0; i != e.type->needs.size(); ++i) {
      slot& s = e.slots[i];
      if (!s.what) continue;  // the service was never installed
      while (s.first) disconnect_from(*s.first);
      interface_row& w = row(s.what->of);
      w.unwait(s);
      if (s.what->kind == need::required) --w.required;
      s.what = nullptr;
    }
    if (e.requester) return;
    for (size_t i = 0; i != e.type->provides.size(); ++i)
      row(e.type->provides[i].of).uninstall(e.provided_interfaces[i]);
  }

  /// Offers a service that has started to the slots that wait for its interfaces.
  void publish(service_record& e) {
    for (size_t i = 0; i != e.type->provides.size(); ++i) {
      const implemented_interface& what = e.type->provides[i];
      void* const object = what.as(e.object);
      if (e.requester) {
        give_to(*e.requester, what, e, object);
        continue;
      }
      interface_row& w = row(what.of);
      w.activate(e.provided_interfaces[i]);
      for (slot* s = w.waiting.first; s;) {
        slot* const next = s->next_waiting;
        if (suits(*s->owner, *s->what, e)) give(*s, e, object);
        s = next;
      }
      give_to_expecting(w, e.provided_interfaces[i], object);
      take_over(e.provided_interfaces[i], what.of, object);
    }
  }

  /// Changes the rank of a provider; dependencies that can be bound anew go to the best one.
  void set_rank(service_record& e, int32_t rank) {
    for (size_t i = 0; i != e.type->provides.size(); ++i) {
      provided_interface& p = e.provided_interfaces[i];
      p.rank = rank;
      if (!p.is_active) continue;
      const interface_id of = e.type->provides[i].of;
      row(of).activate(p);
      for (provided_interface* better = row(of).first; better != &p; better = better->next)
        take_over(*better, of, as(*better->of, of));
      take_over(p, of, as(e, of));
    }
  }

  /// Withdraws a service that leaves. No slot gets it any more; `optional` and `many` lose it at
  /// once; its requiring dependants are queued to stop, and it waits for them.
  void withdraw(service_record& e) {
    if (!e.requester) {
      for (size_t i = 0; i != e.type->provides.size(); ++i)
        row(e.type->provides[i].of).deactivate(e.provided_interfaces[i]);
    }
    for (link* l = e.dependants; l;) {
      link* const next = l->next_of_provider;
      lose(*l);
      l = next;
    }
  }

  /// Unlinks a service whose object is destroyed from the providers that wait for that, and queues
  /// each provider that waits for no other.
  void release(service_record& e) {
    for (size_t i = 0; i != e.type->needs.size(); ++i) {
      slot& s = e.slots[i];
      service_record* lost = nullptr;
      for (link* l = s.first; l;) {
        link* const next = l->next_of_slot;
        if (l->is_held) {
          lost = l->provider;
          disconnect_from(*l);
        }
        l = next;
      }
      if (lost && !takes_all(s.what->kind)) look_for_successor(s, *lost);
    }
  }

  bool has_expecting() const noexcept { return has_expecting_; }
  /// Offers the active providers to the slots that expect a provider, and from here on each further
  /// one: what they expect is not on its way.
  void stop_expecting() {
    has_expecting_ = false;
    for (interface_row& w : rows_) {
      if (!std::exchange(w.has_expecting, false)) continue;
      for (provided_interface* p = w.first; p; p = p->next) stop_expecting(w, *p);
    }
  }
  void stop_expecting(service_record& e) {
    if (e.requester) return;
    for (size_t i = 0; i != e.type->provides.size(); ++i)
      stop_expecting(row(e.type->provides[i].of), e.provided_interfaces[i]);
  }
  bool is_shutting_down_ = false;  // no slot looks for a provider any more

 private:
  void stop_expecting(interface_row& w, provided_interface& p) {
    while (slot* const s = p.expecting.first) {
      w.wait(*s);
      look_for(*s);
    }
  }

  void install(service_record& e, slot& s, const dependency& what, ambiguity& found) {
    s.owner = &e;
    s.what = &what;
    interface_row& w = row(what.of);
    w.name = what.name;
    if (needs_one(what.kind)) ++e.unsatisfied;
    look_for(s);
    if (what.kind != need::required) return;
    ++w.required;
    if (BATON_UNLIKELY(w.installed > 1)) look_around(w, s, w.near, found), note_expecting(w);
  }

  /// Fills a slot from the active providers. A slot that finds none waits, and `many` always waits
  /// for more.
  void look_for(slot& s) {
    interface_row& w = row(s.what->of);
    if (BATON_UNLIKELY(is_shutting_down_)) return w.wait(s);
    for (provided_interface* p = w.first; p && p->is_active; p = p->next) {
      if (!suits(*s.owner, *s.what, *p->of)) continue;
      give(s, *p->of, as(*p->of, s.what->of));
      if (!takes_all(s.what->kind)) return;
    }
    w.wait(s);
    if (w.made_by && !s.was_asked_for) queue(*s.owner);
  }

  /// As `look_for`, for a slot that has lost its provider, which may come back.
  void look_for_successor(slot& s, const service_record& lost) {
    look_for(s);
    if (BATON_LIKELY(!s.waits || is_shutting_down_ || !is_selective(s))) return;
    ambiguity unused;
    interface_row& w = row(s.what->of);
    look_around(w, s, place_of(lost, s.what->of), unused);
    note_expecting(w);
  }

  void note_expecting(const interface_row& w) noexcept { has_expecting_ |= w.has_expecting; }
  /// An active provider of a higher rank that the look did not find goes before the expected one.
  void give_to_expecting(const interface_row& w, provided_interface& p, void* object) {
    while (slot* const s = p.expecting.first) {
      if (BATON_LIKELY(w.first->rank <= p.rank)) {
        give(*s, *p.of, object);
      } else {
        look_for(*s);
      }
    }
  }

  void give_to(service_record& requester, const implemented_interface& what, service_record& provider, void* object) {
    for (size_t i = 0; i != requester.type->needs.size(); ++i) {
      slot& s = requester.slots[i];
      if (s.what && s.what->of == what.of && s.waits) give(s, provider, object);
    }
  }

  void give(slot& s, service_record& provider, void* object) {
    service_record& owner = *s.owner;
    const bool lacked = !s.first || s.first->is_held;  // links are put in front
    connect(provider, object, s);
    if (!takes_all(s.what->kind)) row(s.what->of).unwait(s);
    if (lacked && needs_one(s.what->kind)) {
      if (--owner.unsatisfied == 0) queue(owner);
    } else if (owner.state == phase::active && s.what->arrived) {
      call_hook(owner, s.what->arrived, object);
    }
  }

  /// Tells a service of a provider. An exception is the service's failure.
  static void call_hook(service_record& owner, void (*hook)(void*, void*), void* provider) {
    try {
      hook(owner.object, provider);
    } catch (...) {
      hook_failed(owner, std::current_exception());
    }
  }

  void lose(link& l) {
    slot& s = *l.to;
    service_record& owner = *s.owner;
    if (rebind_lost(l)) return;
    if (needs_one(s.what->kind) && !has_other(l)) {
      ++owner.unsatisfied;
      if (owner.is_constructed()) {
        l.is_held = true;
        ++l.provider->held;
        queue(owner);
        return;
      }
      const service_record& lost = *l.provider;
      disconnect(l);
      if (!takes_all(s.what->kind)) look_for_successor(s, lost);
      return;
    }
    void* const object = l.object;
    disconnect(l);
    if (owner.state == phase::active && s.what->gone) call_hook(owner, s.what->gone, object);
    look_for_another(s);
  }
  static bool has_other(const link& l) noexcept {
    for (const link* other = l.to->first; other; other = other->next_of_slot) {
      if (other != &l && !other->is_held) return true;
    }
    return false;
  }

  /// Binds a dependency anew: the successor arrives before the one before it is gone.
  static void rebind(link& l, service_record& provider, void* object) {
    slot& s = *l.to;
    service_record& owner = *s.owner;
    void* const before = l.object;
    connect(provider, object, s);
    if (owner.state == phase::active && s.what->arrived) call_hook(owner, s.what->arrived, object);
    disconnect(l);
    if (owner.state == phase::active && s.what->gone) call_hook(owner, s.what->gone, before);
  }
  /// Binds a dependency whose provider goes to the best of the others. False: there is none.
  bool rebind_lost(link& l) {
    const slot& s = *l.to;
    if (!can_rebind(s.what->kind) || l.is_held) return false;
    for (provided_interface* p = row(s.what->of).first; p && p->is_active; p = p->next) {
      if (p->of == l.provider || !suits(*s.owner, *s.what, *p->of)) continue;
      rebind(l, *p->of, as(*p->of, s.what->of));
      return true;
    }
    return false;
  }
  /// Gives an active provider the dependencies that lower ones have, and that can be bound anew; a
  /// requirement can until its owner is constructed.
  void take_over(provided_interface& p, interface_id of, void* object) {
    for (provided_interface* lower = p.next; lower && lower->is_active; lower = lower->next) {
      if (lower->rank == p.rank) continue;
      for (link* l = lower->of->dependants; l;) {
        link* const next = l->next_of_provider;
        const dependency& what = *l->to->what;
        const bool may_change =
            can_rebind(what.kind) || (what.kind == need::required && !l->to->owner->is_constructed());
        if (what.of == of && may_change && !l->is_held && suits(*l->to->owner, what, *p.of)) rebind(*l, *p.of, object);
        l = next;
      }
    }
  }
  void look_for_another(slot& s) {
    if (s.what->kind == need::optional) look_for(s);
  }

  /// Unlinks a dependant that is destroyed. A provider that waited for it may go on.
  void disconnect_from(link& l) {
    service_record& provider = *l.provider;
    const bool was_held = l.is_held;
    disconnect(l);
    if (was_held && --provider.held == 0) queue(provider);
  }

  bool has_expecting_ = false;  // perhaps
};

}  // namespace baton::BATON_VARIANT::service::detail
