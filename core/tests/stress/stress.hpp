// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <stddef.h>

/// The common part of the stress tests. A stress test lets actors work in virtual time. It cancels,
/// suspends, resumes, restarts, destroys and delays them at random, between any two steps and from
/// inside a job. A ledger proves that nothing was lost, doubled or reordered.
///
/// A stress test reports the first fault that it finds and goes on counting, so that programs with
/// a mutant can show that the mutant is found.
namespace stress {

using namespace baton;

/// The number of rounds. About every second round has a cancel that is not too late, so a host gets
/// a million of them.
#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t rounds = 1000000;
#elif defined(__OPTIMIZE__)
constexpr uint32_t rounds = test::is_small_target ? 20000 : 2500000;
#else
constexpr uint32_t rounds = 300000;
#endif

enum class fault : uint8_t {
  none,
  unknown_value,       // 1 a value arrived that nobody was sending
  arrived_twice,       // 2
  failed_but_arrived,  // 3 the send's status says that it did not happen
  out_of_order,        // 4 values of one sender
  never_arrived,       // 5 the send's status is ok
  value_changed,       // 6 a value changed between the hand-over and the reading
  wrong_status,        // 7 the status of a wait contradicts what has happened
  wrong_loss,          // 8 dropped_values() differs from the number of values seen to be lost
  served_twice,        // 9
  wrong_reply,         // 10
  not_conserved,       // 11 units were lost or made
  stuck,               // 12 at the end a job waits for something that is there
};

struct report {
  fault first = fault::none;
  uint32_t faults = 0;
  uint32_t done = 0;       // values, calls or units that are complete
  uint32_t cancelled = 0;  // cancels that were not too late
  uint32_t timed_out = 0;
  uint32_t lost = 0;

  BATON_NOINLINE void add(fault f) {
    if (first == fault::none) first = f;
    ++faults;
  }
  BATON_NOINLINE void expect(bool good, fault f) {
    if (!good) add(f);
  }
};

/// Constructs actors in place, on targets without <new> too.
struct placed {
  static void* operator new(size_t, void* where) { return where; }
  static void operator delete(void*, void*) {}
};

/// The memory of one actor, which may be destroyed and made anew.
template <typename Actor>
class place {
 public:
  place() {}
  ~place() { actor_.~Actor(); }

  template <typename... Arguments>
  void make(Arguments&... arguments) {
    new (static_cast<void*>(&actor_)) Actor(arguments...);
  }
  Actor& actor() { return actor_; }
  bool holds(const void* p) const { return p >= &actor_ && p < &actor_ + 1; }

 private:
  union {
    Actor actor_;
  };
};

/// A value: its sender, and its number among those of that sender.
struct message {
  uint8_t from = 0xff;
  uint16_t number = 0;
};

/// The fate of each message of `Senders`. Only the last few of each sender can be open, so it keeps
/// a window of them.
template <uint8_t Senders>
class ledger {
 public:
  explicit ledger(report& r) : report_(r) {}

  /// The next message of a sender.
  BATON_NOINLINE message begin(uint8_t from) {
    for (uint8_t tries = 0; tries < window; ++tries) {
      uint16_t number = ++last_[from];
      slot& s = at(from, number);
      if (s.is_open()) continue;
      s = {static_cast<uint8_t>(number / window), pending};
      return {from, number};
    }
    report_.add(fault::never_arrived);
    for (slot& s : slots_[from]) s = {0, failed};
    return begin(from);
  }

  /// Called when the sender knows if the send happened.
  BATON_NOINLINE void end(const message& m, bool happened) {
    slot& s = at(m.from, m.number);
    if (!happened && (s.state & arrived)) report_.add(fault::failed_but_arrived);
    s.state = static_cast<uint8_t>((s.state & arrived) | (happened ? sent : failed));
  }

  /// Called when the message is handed to a receiver.
  BATON_NOINLINE void arrive(const message& m) {
    if (m.from >= Senders) return report_.add(fault::unknown_value);
    slot& s = at(m.from, m.number);
    if (s.lap != static_cast<uint8_t>(m.number / window) || s.state == 0) return report_.add(fault::unknown_value);
    if (s.state & arrived) return report_.add(fault::arrived_twice);
    if (s.state & failed) report_.add(fault::failed_but_arrived);
    s.state |= arrived;
    if (static_cast<int16_t>(m.number - last_arrived_[m.from]) <= 0) report_.add(fault::out_of_order);
    last_arrived_[m.from] = m.number;
    ++report_.done;
  }

  /// Checks that everything that was sent has arrived. Called at the end.
  void close() {
    for (auto& of_one : slots_) {
      for (slot& s : of_one) {
        if (s.is_open()) report_.add(fault::never_arrived);
      }
    }
  }

 private:
  enum : uint8_t { pending = 1, failed = 2, sent = 4, arrived = 8 };
  static constexpr uint8_t window = 16;

  struct slot {
    uint8_t lap = 0;
    uint8_t state = 0;
    bool is_open() const { return (state & pending) || (state & (sent | arrived)) == sent; }
  };

  slot& at(uint8_t from, uint16_t number) { return slots_[from][number % window]; }

  report& report_;
  slot slots_[Senders][window];
  uint16_t last_[Senders] = {};
  uint16_t last_arrived_[Senders] = {};
};

/// The actions on an actor, possible at any moment. The actor's stress test learns of a restart or
/// a destructor before it happens.
enum class blow : uint8_t { cancel, suspend, resume, restart, destroy };

inline blow any_blow(test::random& chance) {
  uint16_t n = chance.below(100);
  return n < 55   ? blow::cancel
         : n < 65 ? blow::suspend
         : n < 90 ? blow::resume
         : n < 95 ? blow::restart
                  : blow::destroy;
}

/// Lets a coroutine inside the domain act on actors too: the ready queue then has a head that runs.
template <typename Stress>
struct saboteur : coroutine<saboteur<Stress>> {
  explicit saboteur(Stress& s) : target(s) {}
  point step(point at) {
    BATON_BEGIN();
    while (!target.is_over) {
      target.strike();
      BATON_YIELD();
    }
    BATON_END();
  }
  Stress& target;
};

/// Runs rounds of actions, steps and time. In phase 1 one side of the stress test's actors is slow,
/// in phase 2 the other, so that waits are long on either side.
template <typename Stress>
void rage(Stress& s, uint32_t how_long = rounds) {
  saboteur<Stress> inside(s);
  inside.start();
  while (how_long--) {
    if (how_long % 256 == 0) s.phase = static_cast<uint8_t>((s.phase + 1) % 3);
    s.strike();
    for (uint16_t steps = s.chance.below(6); steps; --steps) scheduler::run_one();
    if (s.chance.one_in(4)) sim::advance(s.chance.below(12));
  }
  s.is_over = true;
  s.settle();
}

}  // namespace stress
