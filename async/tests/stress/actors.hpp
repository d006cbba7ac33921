// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <memory>
#include <optional>
#include "stress.hpp"

/// Common parts of the stress tests of C++20 coroutines. Actors wait in every form, and are
/// cancelled, stopped and destroyed at random, by each other and by the test, in virtual time. The
/// ledger and the report are those of core's stress tests.
namespace stress {

using async::task;

/// The number of attacks. In an optimized build a million waits of each stress test are cancelled
/// or time out.
#if defined(BATON_STRESS_BLOWS)
constexpr uint32_t blows = BATON_STRESS_BLOWS;
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr uint32_t blows = 3500000;
#else
constexpr uint32_t blows = 200000;
#endif
constexpr uint32_t a_million = blows >= 3000000 ? 1000000 : blows / 8;

/// A coroutine in a scope of its own, and the state of its wait as the trace hook has seen it.
struct actor {
  std::optional<async::scope> own_scope;
  std::optional<async::stop_source> wait_stop;  // ends one wait alone
  bool has_token = false;                       // its wait uses the token of `wait_stop`
  bool waits = false;                           // it is in a list
  bool ended = false;                           // its wait has ended, and it has not run
  status how = status::ok;

  void begins_wait() { has_token = waits = ended = false; }
};

/// `Count` actors, which the trace hook finds by their scopes.
template <uint8_t Count>
class cast {
 public:
  cast() {
    running() = this;
    sim::clock::get().trace = &on_transition;
  }
  ~cast() { sim::clock::get().trace = nullptr; }

  actor& operator[](uint8_t i) { return actors_[i]; }

  /// Sets the function that is called at the moment when a wait ends.
  void tell(void* stress, void (*handed)(void*, uint8_t)) {
    stress_ = stress;
    handed_ = handed;
  }

 private:
  static cast*& running() {
    static cast* c;
    return c;
  }

  static const waiter* waiter_of(const job* who) {
    if (who->body == &async::detail::run_call_chain) return static_cast<const waiter*>(who);
    if (who->at != select_case_mark) return nullptr;
    return static_cast<const baton::spi::select_case*>(static_cast<const waiter*>(who))->record->owner;
  }

  /// Finds the actor of a wait; `on` of the job that is made ready says how the wait ended.
  static void on_transition(transition what, const job* who, const void*) {
    if (what != transition::ready && what != transition::wait) return;
    const waiter* w = waiter_of(who);
    if (!w) return;
    const void* own_scope = static_cast<const async::detail::call_chain*>(w)->back;
    for (actor& a : running()->actors_) {
      if (!a.own_scope || &*a.own_scope != own_scope) continue;
      if (what == transition::wait) {
        a.waits = true;
      } else if (!a.ended) {
        a.ended = true;
        a.how = static_cast<const waiter*>(who)->result();
        if (running()->handed_) running()->handed_(running()->stress_, static_cast<uint8_t>(&a - running()->actors_));
      }
    }
  }

  actor actors_[Count];
  void* stress_ = nullptr;
  void (*handed_)(void*, uint8_t) = nullptr;
};

// Each form of a wait is a task of its own, so that frames stay small and are nested.

template <typename Operation>
task<status> plainly(Operation o) {
  co_return co_await o;
}
template <typename Operation>
task<status> in_time(duration limit, Operation o) {
  co_return co_await async::within(limit, o);
}
template <typename Operation>
task<status> until_told(async::stop_token t, Operation o) {
  co_return co_await async::until_stop(t, o);
}
template <typename Operation>
task<status> in_time_until_told(duration limit, async::stop_token t, Operation o) {
  co_return co_await async::within(limit, async::until_stop(t, o));
}
template <typename Operation>
task<status> selected(duration limit, async::stop_token t, Operation o, async::manual_event& never_set) {
  const async::selection s = co_await async::within(limit, async::until_stop(t, async::select(never_set.wait(), o)));
  co_return s.status;
}

/// Waits in one of the forms, with a near or a far deadline.
template <typename Operation>
task<status> any_wait(actor& a, test::random& chance, Operation o, async::manual_event& never_set) {
  a.wait_stop.emplace();
  a.begins_wait();
  const async::stop_token t = a.wait_stop->token();
  const duration limit = ticks(tick{chance.below(12)} * (chance.one_in(4) ? 4000 : 1));
  const uint16_t form = chance.below(5);
  if constexpr (Operation::selectable) {
    if (form == 0) {
      a.has_token = true;
      return selected(limit, t, o, never_set);
    }
  }
  a.has_token = form == 2 || form == 3;
  switch (form) {
    case 1:
      return in_time(limit, o);
    case 2:
      return until_told(t, o);
    case 3:
      return in_time_until_told(limit, t, o);
    default:
      return plainly(o);
  }
}

/// Compares the result of the wait with what the trace hook saw.
inline void check_end(actor& a, status said, report& found) {
  if (a.ended) found.expect(said == a.how, fault::wrong_status);
  if (said == status::timed_out) ++found.timed_out;
  if (said == status::cancelled) ++found.cancelled;
  a.begins_wait();
}

/// Ends the wait of an actor if the wait has a token, or all of its waits. Checks that exactly the
/// waits that could be cancelled were.
inline void cancel(actor& a, bool for_ever, report& found) {
  const bool must_end = a.waits && !a.ended && (for_ever || a.has_token);
  const bool had_ended = a.ended;
  const status how = a.how;
  if (for_ever) {
    a.own_scope->stop();
  } else if (a.wait_stop) {
    a.wait_stop->stop();
  }
  found.expect(a.ended == (had_ended || must_end), fault::wrong_status);
  found.expect(!a.ended || a.how == (must_end ? status::cancelled : how), fault::wrong_status);
}

/// Attacks from outside, and lets time pass, for a number of attacks.
template <typename Stress>
task<> weather(Stress& s, uint32_t how_many) {
  while (how_many-- != 0) {
    if (how_many % 256 == 0) s.phase = static_cast<uint8_t>((s.phase + 1) % 3);
    s.strike(Stress::nobody);
    switch (s.chance.below(4)) {
      case 0:
        co_await async::sleep_for(ticks(s.chance.below(12)));
        break;
      case 1:
        break;
      default:
        co_await async::yield();
    }
  }
  s.is_over = true;
  s.settle();
  co_await async::sleep_for(milliseconds(1));
}

/// Runs a stress test with core's list of timers, or with a loop and its wheel.
template <typename Stress>
std::unique_ptr<Stress> rage_in(uint32_t seed, bool in_loop, uint32_t how_many = blows) {
  auto s = std::make_unique<Stress>(seed);
  if (in_loop) {
    auto l = std::make_unique<async::loop>();
    s->begin();
    l->spawn(weather(*s, how_many));
    l->run();
    s->end();
    s->found.expect(l->timers() == 0, fault::stuck);
  } else {
    async::scope beside;
    s->begin();
    beside.spawn(weather(*s, how_many));
    scheduler::run();
    s->end();
  }
  s->found.expect(async::frames().frames == 0, fault::stuck);
  return s;
}

}  // namespace stress
