// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <string.h>
#include <waits/actor.hpp>
#include <waits/model.hpp>

namespace baton {
namespace test {
namespace waits {

/// The variables of a domain that the wait protocol reads.
struct domain_words {
  job* tail = nullptr;
  job* first_timer = nullptr;
  uint16_t dropped = 0;
  uint8_t hand_overs = 0;
  bool has_strays = false;
  bool selects = false;
  bool has_timers = false;
  bool has_deadlines = false;
  sim::clock clock = {};

  static domain_words of_this_thread() {
    domain_words w;
    w.tail = domain::tail();
    w.first_timer = timers::first();
    w.dropped = domain::dropped_values();
    w.hand_overs = domain::consecutive_handoffs();
    w.has_strays = domain::has_strays();
    w.selects = select_is_used();
    w.has_timers = timers::are_used();
    w.has_deadlines = timers::deadlines_are_used();
    w.clock = sim::clock::get();
    return w;
  }

  void apply() const {
    domain::tail() = tail;
    timers::first() = first_timer;
    domain::dropped_values() = dropped;
    domain::consecutive_handoffs() = hand_overs;
    domain::has_strays() = has_strays;
    select_is_used() = selects;
    timers::are_used() = has_timers;
    timers::deadlines_are_used() = has_deadlines;
    sim::clock::get() = clock;
  }
};

/// The kinds of a system: its channels, and what its tasks can do.
template <uint8_t First, uint8_t Second, typename Base, typename Deadlines, typename Selects>
struct kinds {
  using things_type = things<First, Second>;
  using actor_type = actor<things_type, Base, Deadlines, Selects>;
  using deadlines = Deadlines;
  using selects = Selects;
  static constexpr uint8_t first_capacity = First;
  static constexpr uint8_t second_capacity = Second;
};

/// All that a step reads or changes, in one piece of memory: the tasks and the primitives of core,
/// the domain, and the model.
///
/// Shape    core points into itself, so a state is used only at the address where it was made: it
///          is saved and restored as bytes.
template <typename Kinds>
struct snapshot {
  using actor_type = typename Kinds::actor_type;
  using things_type = typename Kinds::things_type;

  void construct(uint8_t count) {
    new (&of()) things_type;
    for (uint8_t t = 0; t < count; ++t) construct_task(t);
    expected.of[0].capacity = Kinds::first_capacity;
    expected.of[1].capacity = Kinds::second_capacity;
  }
  void construct_task(uint8_t t) { new (&task(t)) actor_type(of(), t); }

  actor_type& task(uint8_t t) { return *reinterpret_cast<actor_type*>(task_bytes[t]); }
  const actor_type& task(uint8_t t) const { return *reinterpret_cast<const actor_type*>(task_bytes[t]); }
  things_type& of() { return *reinterpret_cast<things_type*>(thing_bytes); }
  const things_type& of() const { return *reinterpret_cast<const things_type*>(thing_bytes); }

  alignas(actor_type) unsigned char task_bytes[most_tasks][sizeof(actor_type)] = {};
  alignas(things_type) unsigned char thing_bytes[sizeof(things_type)] = {};
  domain_words words;
  alignas(8) model expected;
};

}  // namespace waits
}  // namespace test
}  // namespace baton
