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
  /// Offers each provider that becomes active to the slot.
  void wait(slot& s) noexcept {
    if (s.waits && !s.expects) return;
    unwait(s);
    s.waits = true;
    waiting.push(s);
  }
  /// Offers that provider alone to the slot.
  void expect(slot& s, provided_interface& p) noexcept {
    near = p.next ? p.next : &p;
    if (s.expects == &p) return;
    unwait(s);
    s.waits = true;
    s.expects = &p;
    p.expecting.push(s);
    has_expecting = true;
  }
  void unwait(slot& s) noexcept {
    if (!s.waits) return;
    s.waits = false;
    provided_interface* const expected = std::exchange(s.expects, nullptr);
    (expected ? expected->expecting : waiting).take_out(s);
  }

  /// Lists a provider at the end, among those that are not active.
  void install(provided_interface& p) noexcept {
    insert_behind(p, last);
    ++installed;
  }
  void uninstall(provided_interface& p) noexcept {
    if (!p.is_listed) return;
    if (near == &p) near = p.next ? p.next : p.before;
    while (slot* const s = p.expecting.first) wait(*s);
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
  provided_interface* near = nullptr;  // the neighbour of the last one that was expected: looks begin there
  slot_list waiting;
  factory* made_by = nullptr;
  uint32_t installed = 0;
  uint32_t required = 0;  // number of installed slots that require exactly one
  bool has_expecting = false;
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

/// True if a requirement names its provider or filters the providers.
inline bool is_selective(const slot& s) noexcept {
  if (s.what->kind != need::required) return false;
  if (!s.what->named.empty()) return true;
  if (!s.owner->rare) return false;
  for (const auto& [which, passes] : s.owner->rare->filters) {
    if (which == s.what->of) return true;
  }
  return false;
}

}  // namespace baton::BATON_VARIANT::service::detail
