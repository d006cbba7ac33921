// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/service_record.hpp>
#include <vector>

/// Providers, dependencies, and the links between them.
namespace baton::BATON_VARIANT::service::detail {

/// A function that adds a provider for a service that asks for an interface and finds none.
struct factory {
  std::function<void(service_record& requester)> make;
  interface_id of = 0;
};

/// The providers of an interface, and the slots that wait for one.
struct interface_row {
  void wait(slot& s) noexcept {
    if (s.waits) return;
    s.waits = true;
    s.before_waiting = last_waiting;
    s.next_waiting = nullptr;
    (last_waiting ? last_waiting->next_waiting : first_waiting) = &s;
    last_waiting = &s;
  }
  void unwait(slot& s) noexcept {
    if (!s.waits) return;
    s.waits = false;
    (s.before_waiting ? s.before_waiting->next_waiting : first_waiting) = s.next_waiting;
    (s.next_waiting ? s.next_waiting->before_waiting : last_waiting) = s.before_waiting;
  }

  /// Lists a provider at the end, among those that are not active.
  void install(provided_interface& p) noexcept {
    insert_behind(p, last);
    ++installed;
  }
  void uninstall(provided_interface& p) noexcept {
    if (!p.is_listed) return;
    take_out(p);
    --installed;
  }
  /// Moves a provider behind the last active one of its rank or a higher one.
  void activate(provided_interface& p) noexcept {
    take_out(p);
    provided_interface* where = last_active;
    while (where && where->rank < p.rank) where = where->before;
    insert_behind(p, where);
    if (where == last_active) last_active = &p;
    p.is_active = true;
  }
  void deactivate(provided_interface& p) noexcept {
    if (!p.is_active) return;
    take_out(p);
    insert_behind(p, last);
  }

  provided_interface* first = nullptr;  // the active providers, then the others
  provided_interface* last = nullptr;
  provided_interface* last_active = nullptr;
  slot* first_waiting = nullptr;
  slot* last_waiting = nullptr;
  factory* made_by = nullptr;
  uint32_t installed = 0;
  uint32_t required = 0;  // number of installed slots that require exactly one
  std::string_view name;

 private:
  void insert_behind(provided_interface& p, provided_interface* where) noexcept {
    p.before = where;
    p.next = where ? where->next : first;
    (where ? where->next : first) = &p;
    (p.next ? p.next->before : last) = &p;
    p.is_listed = true;
  }
  void take_out(provided_interface& p) noexcept {
    if (last_active == &p) last_active = p.before;
    (p.before ? p.before->next : first) = p.next;
    (p.next ? p.next->before : last) = p.before;
    p.is_active = p.is_listed = false;
  }
};

/// Links a provider to a slot, in both their lists.
inline link& connect(service_record& provider, void* object, slot& s) {
  link* const l = s.own.to ? new link : &s.own;
  *l = link{&provider, &s, object, provider.dependants, nullptr, s.first, nullptr, false};
  if (l->next_of_provider) l->next_of_provider->before_of_provider = l;
  provider.dependants = l;
  if (l->next_of_slot) l->next_of_slot->before_of_slot = l;
  s.first = l;
  return *l;
}

inline void disconnect(link& l) noexcept {
  (l.before_of_provider ? l.before_of_provider->next_of_provider : l.provider->dependants) = l.next_of_provider;
  if (l.next_of_provider) l.next_of_provider->before_of_provider = l.before_of_provider;
  (l.before_of_slot ? l.before_of_slot->next_of_slot : l.to->first) = l.next_of_slot;
  if (l.next_of_slot) l.next_of_slot->before_of_slot = l.before_of_slot;
  if (&l == &l.to->own) {
    l.to = nullptr;
  } else {
    delete &l;
  }
}

/// Fails a service whose `arrived` or `gone` has thrown.
void hook_failed(service_record& owner, std::exception_ptr why) noexcept;

/// True if the provider has the name that is asked for, and the requester's filters accept it. No
/// service provides for itself.
inline bool suits(const service_record& requester, const dependency& what, const service_record& provider) {
  if (&requester == &provider) return false;
  if (!what.named.empty() && provider.name() != what.named) return false;
  if (!requester.rare) return true;
  for (const auto& [which, passes] : requester.rare->filters) {
    if (which == what.of && !passes(provider.properties())) return false;
  }
  return true;
}

}  // namespace baton::BATON_VARIANT::service::detail
