// SPDX-License-Identifier: MIT
#pragma once

#include "floors_registry.hpp"

// The life of services in the minimal registry: links, starts and stops.

namespace suite_service {
namespace minimal {

// ---- links

void registry::wait(slot& s) {
  if (s.waits) return;
  s.waits = true;
  slot*& first = rows_[s.interface].waiting;
  s.next = first;
  s.before = nullptr;
  if (first) first->before = &s;
  first = &s;
}
void registry::wait_no_more(slot& s) {
  if (!s.waits) return;
  s.waits = false;
  (s.before ? s.before->next : rows_[s.interface].waiting) = s.next;
  if (s.next) s.next->before = s.before;
}

void registry::connect(service& provider, slot& to) {
  service& dependant = *to.of;
  link* const l = ::new (memory_.take()) link{&provider, &to, provider.dependants, nullptr, dependant.providers};
  if (l->next_of_provider) l->next_of_provider->before_of_provider = l;
  provider.dependants = l;
  if (l->next_of_dependant) l->next_of_dependant->before_of_dependant = l;
  dependant.providers = l;
  if (to.providers++ == 0) --dependant.lacks;
  wait_no_more(to);
  *to.place = provider.object;
}
void registry::disconnect(link* l) {
  slot& s = *l->to;
  *s.place = nullptr;
  if (--s.providers == 0) {
    ++s.of->lacks;
    wait(s);
  }
  (l->before_of_provider ? l->before_of_provider->next_of_provider : l->provider->dependants) = l->next_of_provider;
  if (l->next_of_provider) l->next_of_provider->before_of_provider = l->before_of_provider;
  (l->before_of_dependant ? l->before_of_dependant->next_of_dependant : s.of->providers) = l->next_of_dependant;
  if (l->next_of_dependant) l->next_of_dependant->before_of_dependant = l->before_of_dependant;
  memory_.give(l);
}

// ---- up

void registry::install(service* s) {
  services_[s->number] = s;
  ++live_;
  s->lacks = s->needed;
  for (uint8_t i = 0; i != s->needed; ++i) {
    slot& each = s->slots[i];
    row& r = rows_[each.interface];
    wait(each);
    if (!r.providers.empty()) connect(*r.providers.front(), each);
    if (each.waits && r.makes.make) at.push(asks{this, s->number, each.interface}, loop::high);
  }
  start_if_complete(s);
}

void registry::begin(service* s) {
  s->now = phase::starting;
  s->start();
  s->now = phase::injecting;
  at.push(comes{this, s->number}, loop::high);
}

void registry::come(service* s) {
  if (s->now != phase::injecting) return;
  s->now = phase::active;
  row& r = rows_[s->provides];
  if (s->requester) {
    service* const by = services_[s->requester];
    for (uint8_t i = 0; by && i != by->needed; ++i) {
      slot& each = by->slots[i];
      if (each.interface != s->provides || !each.waits) continue;
      connect(*s, each);
      start_if_complete(by);
    }
  } else {
    s->position = static_cast<uint32_t>(r.providers.size());
    r.providers.push_back(s);
    for (slot *each = r.waiting, *next; each; each = next) {
      next = each->next;
      connect(*s, *each);
      start_if_complete(each->of);
    }
  }
  if (s->goes_down) {
    s->goes_down = false;
    at.push(leaves{this, s->number, false}, loop::high);
  }
  if (is_quitting_) stop(s->number, true);
}

// ---- down

void registry::leave(service* s, bool removes) {
  if (s->now != phase::active) return;
  s->now = phase::uninjecting;
  s->removes |= removes;
  if (!s->requester) {
    std::vector<service*>& all = rows_[s->provides].providers;
    all[s->position] = all.back();
    all.back()->position = s->position;
    all.pop_back();
  }
  for (link *l = s->dependants, *next; l; l = next) {
    next = l->next_of_provider;
    service* const dependant = l->to->of;
    if (dependant->now == phase::installed || l->to->providers != 1) {
      disconnect(l);
    } else if (dependant->now == phase::active) {
      at.push(leaves{this, dependant->number, removes && is_quitting_}, loop::high);
    } else {
      dependant->goes_down = dependant->now < phase::active;
    }
  }
  if (!s->dependants) stop(s->number, removes);
}

void registry::stop(service* s, bool removes) {
  removes |= s->removes;
  if (s->now == phase::installed && removes) {
    while (s->providers) disconnect(s->providers);
    remove(s);
  } else if (s->now == phase::active) {
    leave(s, removes);
  } else if (s->now == phase::uninjecting && !s->dependants) {
    end(s, removes);
  }
}

void registry::end(service* s, bool removes) {
  s->now = phase::stopping;
  s->stop();
  s->now = phase::installed;
  for (link *l = s->providers, *next; l; l = next) {
    next = l->next_of_dependant;
    service* const p = l->provider;
    const bool goes = p->now == phase::uninjecting;
    if (!removes && !goes) continue;
    disconnect(l);
    if (goes && !p->dependants) stop(p->number, p->removes);
  }
  if (removes) remove(s);
}

void registry::remove(service* s) {
  for (uint8_t i = 0; i != s->needed; ++i) {
    slot& each = s->slots[i];
    wait_no_more(each);
    const maker& m = rows_[each.interface].makes;
    if (m.gone) m.gone(m.self, *s);
  }
  services_[s->number] = nullptr;
  delete s;
  if (--live_ == 0 && is_quitting_) at.is_over = true;
}

}  // namespace minimal
}  // namespace suite_service
