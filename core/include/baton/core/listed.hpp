// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>
#include <baton/core/deadline.hpp>

/// Bases on top of bases: each adds one thing to the base it is given, and its bytes.
namespace baton {

/// A result, and jobs that wait for it: `BATON_RETURN(value)` ends the body; others `BATON_WAIT(c.join())`, then `c.value()`.
///
/// Shape    the value and a wait list.
/// Context  the end of the body wakes all who joined, oldest first. A restart keeps them waiting; a destroyed one ends their
///          wait with `closed`.
template <typename T, typename Base = plain>
struct returning : Base {
  constexpr explicit returning(job::function run) : Base(run) {}
  ~returning() { close_list(joiners_); }

  /// What the body returned last.
  const T& value() const { return value_; }

  struct join_operation : list_wait {
    explicit join_operation(returning& r) : list_wait{&r.joiners_, wait_list::receivers, nullptr}, awaited(&r) {}
    bool try_now(waiter& w) const {
      if (awaited->at != finished) return false;
      w.end(status::ok);
      return true;
    }
    const job* awaited;
  };

  /// For BATON_WAIT and its forms: waits until the body has ended.
  join_operation join() { return join_operation(*this); }

 protected:
  void ended_() {
    while (joiners_.kind != wait_list::nobody) wake_oldest(joiners_, static_cast<uint8_t>(status::ok));
    Base::ended_();
  }

  T value_{};

 private:
  wait_list joiners_;
};

/// A server's hold on one request: `current`. If the server ends, restarts or is destroyed before it replied, its client's wait
/// ends with `peer_gone`.
template <typename Request, typename Reply, typename Base = waiting>
struct serving : Base {
  constexpr explicit serving(job::function run) : Base(run) {}

  served<Request, Reply> current;

 protected:
  void leave_() {
    Base::leave_();
    current.abandon();
  }
  void ended_() {
    current.abandon();
    Base::ended_();
  }
  void release_() {
    current.abandon();
    Base::release_();
  }
};

/// A name. 2 bytes on AVR; the characters stay in flash.
template <typename Base = plain>
struct named : Base {
  constexpr explicit named(job::function run) : Base(run) {}

  void set_name(port::text name) { name_ = name; }
  port::text name() const { return name_; }

 private:
  port::text name_ = nullptr;
};

/// What a coroutine is doing.
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

/// The state of a job; `engaged` says whether it waits outside every list.
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

/// First of the coroutines of this domain that are listed; follow `next_listed`.
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
