// SPDX-License-Identifier: MIT
#include "stress.hpp"

using namespace stress;

namespace {

/// Four senders each offer a message to two channels at once. Four receivers take from either
/// channel or take a unit. Exactly one of a select's cases happens.
class select_stress {
 public:
  static constexpr uint8_t senders = 4;
  static constexpr uint8_t receivers = 4;
  static constexpr uint8_t units = 2;

  explicit select_stress(uint32_t seed) : chance(seed), book_(found), slots_(units) {
    running() = this;
    sim::clock::get().trace = &on_transition;
    for (uint8_t i = 0; i < senders; ++i) make_sender(i);
    for (uint8_t i = 0; i < receivers; ++i) make_receiver(i);
  }
  ~select_stress() { sim::clock::get().trace = nullptr; }

  void strike() {
    uint8_t i = static_cast<uint8_t>(chance.below(senders + receivers));
    blow b = any_blow(chance);
    if (i < senders) {
      strike_at(senders_[i].actor(), b, [this, i] { make_sender(i); });
    } else {
      i = static_cast<uint8_t>(i - senders);
      strike_at(receivers_[i].actor(), b, [this, i] { make_receiver(i); });
    }
    uint16_t sum = slots_.units();
    for (auto& p : receivers_) sum = static_cast<uint16_t>(sum + p.actor().has_unit);
    found.expect(sum == units, fault::not_conserved);
  }

  void settle() {
    for (auto& p : receivers_) p.actor().resume();
    for (auto& p : senders_) p.actor().resume();
    for (uint16_t steps = 0; steps < 5000; ++steps) {  // the receivers never end, because of the units
      if (!scheduler::run_one()) sim::advance(1);
    }
    for (auto& p : senders_) found.expect(p.actor().is_done(), fault::stuck);
    book_.close();
    found.expect(slots_.units() <= units, fault::not_conserved);
  }

  test::random chance;
  report found;
  uint32_t units_taken = 0;
  bool is_over = false;
  uint8_t phase = 0;

 private:
  struct sender : placed, coroutine<sender, selecting<2, deadline>> {
    sender(select_stress& s, uint8_t i) : of(s), id(i) {}

    point step(point at) {
      BATON_BEGIN();
      while (!of.is_over) {
        to_a = of.book_.begin(id);  // a number of its own for each channel: only one of them may arrive
        to_b = of.book_.begin(static_cast<uint8_t>(senders + id));
        is_sending = true;
        is_taken = false;
        if (of.has_deadline()) {
          BATON_SELECT_FOR(of.limit(), of.a_.send(to_a), of.b_.send(to_b));
        } else {
          BATON_SELECT(of.a_.send(to_a), of.b_.send(to_b));
        }
        is_sending = false;
        if (is_taken) of.found.expect(result() == status::ok, fault::wrong_status);
        of.saw(*this);
        of.book_.end(to_a, result() == status::ok && selected() == 0);
        of.book_.end(to_b, result() == status::ok && selected() == 1);
        if (of.is_slow(1)) BATON_DELAY_UNTIL(port::now() + of.chance.below(40));
        cancelled = false;
      }
      BATON_END();
    }

    void goes_away() {
      if (is_sending) {
        of.book_.end(to_a, is_taken && selected() == 0);
        of.book_.end(to_b, is_taken && selected() == 1);
      }
      is_sending = cancelled = false;
    }

    select_stress& of;
    message to_a, to_b;
    uint8_t id;
    bool is_sending = false;
    bool is_taken = false;  // a receiver took one of its messages, and the sender has not run since
    bool cancelled = false;
  };

  struct receiver : placed, coroutine<receiver, selecting<3, deadline>> {
    explicit receiver(select_stress& s) : of(s) {}

    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        selects = true;
        if (of.has_deadline()) {
          BATON_SELECT_FOR(of.limit(), of.a_.receive(from_a), of.b_.receive(from_b), of.slots_.acquire());
        } else {
          BATON_SELECT(of.a_.receive(from_a), of.b_.receive(from_b), of.slots_.acquire());
        }
        selects = false;
        of.saw(*this);
        if (holds) of.found.expect(result() == status::ok && selected() == handed, fault::wrong_status);
        if (!holds && result() == status::ok) of.was_given(*this);
        holds = false;
        if (has_unit) BATON_DELAY_UNTIL(port::now() + of.chance.below(6));
        cancelled = false;
        if (has_unit) {
          has_unit = false;
          of.slots_.release();
        }
        if (of.is_slow(2)) BATON_DELAY_UNTIL(port::now() + of.chance.below(40));
        cancelled = false;
      }
      BATON_END();
    }

    void goes_away() {
      if (holds) ++of.found.lost;
      holds = cancelled = selects = false;
    }

    select_stress& of;
    message from_a, from_b;
    uint8_t handed = 0;
    bool selects = false;
    bool holds = false;  // a value or unit was handed to the receiver, which has not run since
    bool has_unit = false;
    bool cancelled = false;
  };

  static select_stress*& running() {
    static select_stress* stress;
    return stress;
  }

  /// Records each hand-over to a case of a select at the moment of the hand-over.
  static void on_transition(transition what, const job* who, const void*) {
    if (what != transition::ready || who->at != select_case_mark) return;
    const waiter* one_case = static_cast<const waiter*>(who);
    for (auto& p : running()->receivers_) {
      if (!p.holds(who) || one_case->on != waiter::delivered) continue;
      receiver& r = p.actor();
      running()->found.expect(r.selects && !r.holds, fault::arrived_twice);
      r.holds = true;
      r.handed = r.selected();
      running()->was_given(r);
    }
    for (auto& p : running()->senders_) {
      if (!p.holds(who) || one_case->on != static_cast<uint8_t>(status::ok)) continue;
      running()->found.expect(p.actor().is_sending && !p.actor().is_taken, fault::arrived_twice);
      p.actor().is_taken = true;
    }
  }

  void was_given(receiver& r) {
    if (r.selected() == 0) {
      book_.arrive(r.from_a);
    } else if (r.selected() == 1) {
      book_.arrive(r.from_b);
    } else {
      r.has_unit = true;
      ++units_taken;
    }
  }

  template <typename Actor, typename Make>
  void strike_at(Actor& a, blow b, Make make) {
    uint16_t lost = dropped_values();
    uint32_t lost_before = found.lost;
    switch (b) {
      case blow::cancel:
        if (a.cancel()) {
          a.cancelled = true;
          ++found.cancelled;
        }
        break;
      case blow::suspend:
        a.suspend();
        break;
      case blow::resume:
        a.resume();
        break;
      case blow::restart:
        a.goes_away();
        give_back(a);
        a.restart();
        break;
      case blow::destroy:
        a.goes_away();
        give_back(a);
        a.~Actor();
        make();
        break;
    }
    if (lost != UINT16_MAX) {
      found.expect(static_cast<uint16_t>(dropped_values() - lost) == found.lost - lost_before, fault::wrong_loss);
    }
  }

  void give_back(sender&) {}
  void give_back(receiver& r) {
    if (r.has_unit) slots_.release();
    r.has_unit = false;
  }

  template <typename Actor>
  void saw(const Actor& a) {
    if (a.cancelled) found.expect(a.result() == status::cancelled, fault::wrong_status);
    if (a.result() == status::timed_out) ++found.timed_out;
  }

  /// True if the next wait has a deadline. On a small target every wait has one, so that the code
  /// for both forms need not fit.
  bool has_deadline() { return test::is_small_target || (!is_over && chance.one_in(2)); }
  duration limit() { return ticks(is_over || chance.one_in(4) ? 10000 : chance.below(12)); }

  bool is_slow(uint8_t in_phase) { return chance.one_in(phase == in_phase ? 1 : 8); }

  void make_sender(uint8_t i) {
    senders_[i].make(*this, i);
    senders_[i].actor().start();
  }
  void make_receiver(uint8_t i) {
    receivers_[i].make(*this);
    receivers_[i].actor().start();
  }

  ledger<2 * senders> book_;
  channel<message> a_;
  channel<message, 2> b_;
  semaphore slots_;
  place<sender> senders_[senders];
  place<receiver> receivers_[receivers];
};

}  // namespace

TEST_CASE(
    "a stress test at selects: exactly one case of each happens, nothing is lost or doubled, units are conserved") {
  constexpr uint32_t seed = 31;
  select_stress s(seed);
  rage(s);
  CHECK_EQ(s.found.first, fault::none);
  CHECK_WITH(s.found.faults == 0, seed);
  CHECK(s.found.done > rounds / 8);
  CHECK(s.found.cancelled > rounds / 4);
  CHECK(s.found.timed_out > rounds / 64);
  CHECK(s.found.lost > rounds / 1024);
  CHECK(s.units_taken > rounds / 64);
}
