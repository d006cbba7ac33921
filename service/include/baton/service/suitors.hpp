// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/links.hpp>

/// Looks at some providers of an interface: which of them suit a requirement?
///
/// A requirement with a filter is a question to a function of the program, which says nothing about
/// other providers. Pairs of such requirements and providers would take a question for each
/// combination. But a look is needed anyway, for a requirement that two providers suit. When it
/// finds one, the slot expects that one, and is not offered those that start before it. A look has
/// a limit, and begins where the one before it was successful; so pairs that are added side by
/// side, or in two rows of the same or the reverse order, take a limited number of questions each.
///
/// Invariants:
///   - A slot expects a provider only if the look found no other one that suits it, whatever that
///     one's rank and state.
///   - When no start is on its way any more, no slot expects a provider: `stop_expecting`.
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

/// The providers that suit a requirement, among those that were looked at.
struct suitors {
  void note(provided_interface& p) noexcept {
    first = first ? first : &p;
    ++count;
    if (!may_serve(*p.of)) return;
    if (!best || p.rank > best->rank) {
      best = &p;
      rival = nullptr;
    } else if (!rival && p.rank == best->rank) {
      rival = &p;
    }
  }
  provided_interface* only() const noexcept { return count == 1 ? first : nullptr; }

  provided_interface* first = nullptr;
  unsigned count = 0;
  const provided_interface* best = nullptr;   // of those that may serve
  const provided_interface* rival = nullptr;  // of the same rank
};

/// Looks at the neighbours of `from` on both sides, itself first.
inline suitors suitors_of(const interface_row& w, const slot& s, provided_interface* from) {
  suitors found;
  provided_interface* behind = from ? from : w.first;
  provided_interface* before = behind ? behind->before : nullptr;
  for (unsigned left = most_looks; left != 0 && (behind || before); --left) {
    provided_interface*& at = behind && (left % 2 == 0 || !before) ? behind : before;
    if (suits(*s.owner, *s.what, *at->of)) found.note(*at);
    at = &at == &behind ? at->next : at->before;
  }
  return found;
}

/// Two providers are ambiguous if none has a higher rank than both.
inline void note_ambiguity(const slot& s, const suitors& of, ambiguity& found) noexcept {
  if (found.requester || !of.rival) return;
  found = {s.owner, of.best->of, of.rival->of, s.what->name};
  if (found.one->id.number > found.other->id.number) std::swap(found.one, found.other);
}

/// Looks for providers of a requirement, and expects the only one if it waits and is selective.
inline void look_around(interface_row& w, slot& s, provided_interface* from, ambiguity& found) {
  const suitors all = suitors_of(w, s, from);
  note_ambiguity(s, all, found);
  if (!s.waits || !is_selective(s)) return;
  if (provided_interface* const one = all.only()) {
    w.expect(s, *one);
  } else {
    w.wait(s);
  }
}

/// Looks around for a requirement if a provider which was just listed suits it.
inline void look_for_added(interface_row& w, interface_id of, slot& s, provided_interface& added, ambiguity& found) {
  if (s.what->of != of || s.what->kind != need::required) return;
  if (suits(*s.owner, *s.what, *added.of)) look_around(w, s, &added, found);
}

/// Looks for services that require one provider, have one or wait for one, and could take the new
/// one too. A bounded number is looked at, so that all starts together stay linear; the waiting
/// ones from both ends of their list.
inline void look_for_added(interface_row& w, interface_id of, provided_interface& added, ambiguity& found) {
  unsigned left = most_looks;
  slot* oldest = w.waiting.first;
  slot* newest = w.waiting.last;
  for (bool is_last = !oldest; !is_last && left != 0; --left) {
    is_last = oldest == newest;
    slot*& at = left % 2 == 0 ? oldest : newest;
    slot& s = *at;
    at = &at == &oldest ? s.next_waiting : s.before_waiting;
    look_for_added(w, of, s, added, found);
  }
  for (provided_interface* p = w.first; p && left != 0; p = p->next, --left) {
    for (slot* s = p->expecting.first; s && left != 0; --left) {
      slot* const next = s->next_waiting;
      look_for_added(w, of, *s, added, found);
      s = next;
    }
    for (link* l = p->of->dependants; l && left != 0; l = l->next_of_provider, --left)
      look_for_added(w, of, *l->to, added, found);
    if (left == 0) return;
  }
}

}  // namespace baton::BATON_VARIANT::service::detail
