// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/links.hpp>

/// Finds a provider for each dependency, and queues the services whose state that changes.
namespace baton::BATON_VARIANT::service::detail {

/// Services whose state has to be looked at, first in, first out.
class work_list {
 public:
  void queue(service_record& e) noexcept {
    if (e.is_queued) return;
    e.is_queued = true;
    e.next_work = nullptr;
    (last_ ? last_->next_work : first_) = &e;
    last_ = &e;
  }
  service_record* take() noexcept {
    service_record* const e = first_;
    if (!e) return nullptr;
    first_ = e->next_work;
    if (!first_) last_ = nullptr;
    e->is_queued = false;
    return e;
  }
  bool has_work() const noexcept { return first_ != nullptr; }

 private:
  service_record* first_ = nullptr;
  service_record* last_ = nullptr;
};

/// The interfaces of a worker, with the providers of each and the dependencies on it.
///
/// Cost     a lookup of a dependency: the interface's active providers up to the first that fits.
///          The start of a provider: the slots that wait for its interfaces.
class link_table : public work_list {
 public:
  interface_row& row(interface_id of) {
    if (BATON_UNLIKELY(of >= rows_.size())) rows_.resize(size_t{of} + 8);
    return rows_[of];
  }

  /// A service that requires one provider and could take two. Only the first such service is noted.
  struct ambiguity {
    service_record* requester = nullptr;
    service_record* one = nullptr;
    service_record* other = nullptr;
    std::string_view interface;
  };

 protected:
  /// Enters a fresh service: its provided interfaces are listed, not yet active, and its
  /// dependencies are looked up.
  void install(service_record& e, ambiguity& found) {
    if (!e.requester) {
      for (size_t i = 0; i != e.type->provides.size(); ++i) {
        interface_row& w = row(e.type->provides[i].of);
        e.provided_interfaces[i].of = &e;
        w.install(e.provided_interfaces[i]);
        if (BATON_UNLIKELY(w.installed > 1 && w.required != 0)) find_ambiguity(w, e.type->provides[i].of, e, found);
      }
    }
    for (size_t i = 0; i != e.type->needs.size(); ++i) install(e, e.slots[i], e.type->needs[i], found);
  }

  /// Takes a service out of all lists. It has no dependants, and its object is destroyed.
  void uninstall(service_record& e) {
    for (size_t i = 0; i != e.type->needs.size(); ++i) {
      slot& s = e.slots[i];
      if (!s.what) continue;  // the service was never installed
      while (s.first) disconnect_from(*s.first);
      interface_row& w = row(s.what->of);
      w.unwait(s);
      if (s.what->kind == need::required) --w.required;
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
      for (slot* s = w.first_waiting; s;) {
        slot* const next = s->next_waiting;
        if (suits(*s->owner, what.of, e)) give(*s, e, object);
        s = next;
      }
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
      link* const l = s.first;
      if (!l || !l->is_held) continue;
      service_record& provider = *l->provider;
      disconnect(*l);
      if (--provider.held == 0) queue(provider);
      look_for(s);
    }
  }

  /// Asks the factories for the providers that a service lacks. Only after its first turn in the
  /// work list, so that providers that were added together with it are known.
  void ask_factories(service_record& e) {
    for (size_t i = 0; i != e.type->needs.size(); ++i) {
      slot& s = e.slots[i];
      const interface_row& w = row(s.what->of);
      if (!w.made_by || !s.waits || s.first || s.was_asked_for || w.installed != 0) continue;
      s.was_asked_for = true;
      w.made_by->make(e);
    }
  }
  /// Queues the services that wait for an interface, because a factory for it has come.
  void ask_for_waiting(interface_id of) {
    for (slot* s = row(of).first_waiting; s; s = s->next_waiting) queue(*s->owner);
  }

 private:
  void install(service_record& e, slot& s, const dependency& what, ambiguity& found) {
    s.owner = &e;
    s.what = &what;
    interface_row& w = row(what.of);
    w.name = what.name;
    if (what.kind == need::required) {
      ++e.unsatisfied;
      ++w.required;
      if (BATON_UNLIKELY(w.installed > 1)) find_ambiguity_for(w, e, what, found);
    }
    look_for(s);
  }

  /// Fills a slot from the active providers. A slot that finds none waits, and `many` always waits
  /// for more.
  void look_for(slot& s) {
    interface_row& w = row(s.what->of);
    for (provided_interface* p = w.first; p && p->is_active; p = p->next) {
      if (!suits(*s.owner, s.what->of, *p->of)) continue;
      give(s, *p->of, as(*p->of, s.what->of));
      if (s.what->kind != need::many) return;
    }
    w.wait(s);
    if (w.made_by && !s.was_asked_for) queue(*s.owner);
  }

  static void* as(service_record& e, interface_id of) {
    for (const implemented_interface& i : e.type->provides) {
      if (i.of == of) return i.as(e.object);
    }
    return nullptr;
  }

  void give_to(service_record& requester, const implemented_interface& what, service_record& provider, void* object) {
    for (size_t i = 0; i != requester.type->needs.size(); ++i) {
      slot& s = requester.slots[i];
      if (s.what && s.what->of == what.of && s.waits) give(s, provider, object);
    }
  }

  void give(slot& s, service_record& provider, void* object) {
    service_record& owner = *s.owner;
    connect(provider, object, s);
    if (s.what->kind != need::many) row(s.what->of).unwait(s);
    if (s.what->kind == need::required) {
      if (--owner.unsatisfied == 0) queue(owner);
    } else if (owner.state == phase::active && s.what->arrived) {
      s.what->arrived(owner.object, object);
    }
  }

  void lose(link& l) {
    slot& s = *l.to;
    service_record& owner = *s.owner;
    if (s.what->kind == need::required) {
      ++owner.unsatisfied;
      if (owner.is_constructed()) {
        l.is_held = true;
        ++l.provider->held;
        queue(owner);
        return;
      }
      disconnect(l);
      return look_for(s);
    }
    void* const object = l.object;
    disconnect(l);
    if (owner.state == phase::active && s.what->gone) s.what->gone(owner.object, object);
    look_for_another(s);
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

  /// Looks for services that require one provider, have one or wait for one, and could take the new
  /// one too.
  static void find_ambiguity(const interface_row& w, interface_id of, const service_record& added, ambiguity& found) {
    for (slot* s = w.first_waiting; s; s = s->next_waiting) check_for_two(w, of, *s, added, found);
    for (provided_interface* p = w.first; p; p = p->next) {
      for (link* l = p->of->dependants; l; l = l->next_of_provider) check_for_two(w, of, *l->to, added, found);
    }
  }
  static void check_for_two(const interface_row& w, interface_id of, const slot& s, const service_record& added,
                            ambiguity& found) {
    if (s.what->of != of || s.what->kind != need::required || !suits(*s.owner, of, added)) return;
    find_ambiguity_for(w, *s.owner, *s.what, found);
  }
  /// False for a service that is on its way out, for a stand-by, and for one that has failed.
  static bool may_serve(const service_record& e) noexcept { return e.is_enabled && !e.is_removed && !e.has_failed; }
  static void find_ambiguity_for(const interface_row& w, service_record& requester, const dependency& what,
                                 ambiguity& found) {
    service_record* one = nullptr;
    for (provided_interface* p = w.first; p && !found.requester; p = p->next) {
      if (!may_serve(*p->of) || !suits(requester, what.of, *p->of)) continue;
      if (one) found = {&requester, one, p->of, what.name};
      one = p->of;
    }
  }

  std::vector<interface_row> rows_;
};

}  // namespace baton::BATON_VARIANT::service::detail
