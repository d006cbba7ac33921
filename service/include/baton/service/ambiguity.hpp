// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/links.hpp>

/// Finds a requirement that more than one provider could serve.
namespace baton::BATON_VARIANT::service::detail {

/// A service that requires one provider and could take two. Only the first such service is noted.
struct ambiguity {
  service_record* requester = nullptr;
  service_record* one = nullptr;
  service_record* other = nullptr;
  std::string_view interface;
};

constexpr unsigned most_looks = 64;

/// False for a service that is on its way out, for a stand-by, and for one that has failed.
inline bool may_serve(const service_record& e) noexcept {
  return e.is_enabled && !e.is_removed && !e.has_failed;
}

/// Two providers are ambiguous if none has a higher rank than both.
inline void find_ambiguity_for(const interface_row& w, service_record& requester, const dependency& what,
                               ambiguity& found) {
  if (found.requester) return;
  const provided_interface* one = nullptr;
  const provided_interface* other = nullptr;
  unsigned left = most_looks;
  for (const provided_interface* p = w.first; p && left != 0; p = p->next, --left) {
    if (!may_serve(*p->of) || !suits(requester, what, *p->of)) continue;
    if (!one || p->rank > one->rank) {
      one = p;
      other = nullptr;
    } else if (!other && p->rank == one->rank) {
      other = p;
    }
  }
  if (other) found = {&requester, one->of, other->of, what.name};
}

inline void check_for_two(const interface_row& w, interface_id of, const slot& s, const service_record& added,
                          ambiguity& found) {
  if (found.requester || s.what->of != of || s.what->kind != need::required) return;
  if (suits(*s.owner, *s.what, added)) find_ambiguity_for(w, *s.owner, *s.what, found);
}

/// Looks for services that require one provider, have one or wait for one, and could take the new
/// one too. A bounded number is looked at, so that all starts together stay linear.
inline void find_ambiguity(const interface_row& w, interface_id of, const service_record& added, ambiguity& found) {
  unsigned left = most_looks;
  for (slot* s = w.first_waiting; s && left != 0; s = s->next_waiting, --left) check_for_two(w, of, *s, added, found);
  for (provided_interface* p = w.first; p && left != 0; p = p->next, --left) {
    for (link* l = p->of->dependants; l && left != 0; l = l->next_of_provider, --left)
      check_for_two(w, of, *l->to, added, found);
    if (left == 0) return;
  }
}

}  // namespace baton::BATON_VARIANT::service::detail
