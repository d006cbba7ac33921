// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>
#include <baton/core/deadline.hpp>

/// The list of a domain's coroutines, and the state of each.
namespace baton {

/// The state of a coroutine.
enum class job_state : uint8_t { not_started, ready, running, delaying, waiting, suspended, ended };

/// An entry of the list of coroutines.
struct listed_entry {
  using state_function = job_state (*)(const listed_entry&);

  constexpr explicit listed_entry(state_function state) : state_of(state) {}

  listed_entry* next_listed = nullptr;
  state_function state_of;
  port::text name = nullptr;
};

namespace detail {

struct listed_head {
  listed_entry* first = nullptr;
};

inline bool is_in_ring(const job* j) {
  const job* tail = domain::tail();
  if (!tail) return false;
  for (const job* i = tail->next;; i = i->next) {
    if (i == j) return true;
    if (i == tail) return false;
  }
}

/// The state of a job. `engaged`: it waits outside every list; `asleep`: its deadline's timer is
/// armed for a delay.
inline job_state state_of(const job* j, bool engaged, bool asleep) {
  if (j->at == finished) return job_state::ended;
  if (domain::running() && ready::is_head(j)) return job_state::running;
  if (asleep || timers::contains(j)) return job_state::delaying;
  if (j->next) return is_in_ring(j) ? job_state::ready : job_state::waiting;
  if (engaged) return job_state::waiting;
  return j->at == 0 ? job_state::not_started : job_state::suspended;
}

BATON_INLINE bool is_asleep(const deadline& d) {
  return d.on == waiter::sleeping && d.timer.at;
}
BATON_INLINE bool is_asleep(const job&) {
  return false;
}

}  // namespace detail

/// The first listed coroutine of this domain; follow `next_listed`.
inline listed_entry*& listed_coroutines() {
  return port::local<detail::listed_head>::get().first;
}

/// A place in the list of coroutines, and a name. 6 bytes on AVR. The newest stands first.
template <typename Base = plain>
struct listed : listed_entry, Base {
  explicit listed(job::function run) : listed_entry(&state_), Base(run) {
    next_listed = listed_coroutines();
    listed_coroutines() = this;
  }
  ~listed() {
    if (!detail::may_die(this, __PRETTY_FUNCTION__)) return;
    for (listed_entry** link = &listed_coroutines(); *link; link = &(*link)->next_listed) {
      if (*link != this) continue;
      *link = next_listed;
      return;
    }
  }

  job_state state() const { return state_(*this); }

 private:
  static job_state state_(const listed_entry& e) {
    const listed& self = static_cast<const listed&>(e);
    return detail::state_of(&self, self.engaged_(), detail::is_asleep(static_cast<const Base&>(self)));
  }
};

}  // namespace baton
