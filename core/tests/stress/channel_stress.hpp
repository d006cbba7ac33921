// SPDX-License-Identifier: MIT
#pragma once

#include "stress.hpp"

namespace stress {

/// 8 senders and 8 receivers at one channel.
template <typename Channel>
class channel_stress {
 public:
  static constexpr uint8_t senders = 8;
  static constexpr uint8_t receivers = 8;

  explicit channel_stress(uint32_t seed) : chance(seed), book_(found) {
    running() = this;
    sim::clock::get().trace = &on_transition;
    for (uint8_t i = 0; i < senders; ++i) make_sender(i);
    for (uint8_t i = 0; i < receivers; ++i) make_receiver(i);
  }
  ~channel_stress() { sim::clock::get().trace = nullptr; }

  /// Does one action to one actor.
  void strike() {
    uint8_t i = static_cast<uint8_t>(chance.below(senders + receivers));
    blow b = any_blow(chance);
    if (i < senders) {
      strike_at(senders_[i].actor(), b, [this, i] { make_sender(i); });
    } else {
      i = static_cast<uint8_t>(i - senders);
      strike_at(receivers_[i].actor(), b, [this, i] { make_receiver(i); });
    }
  }

  /// Lets the senders end, and all values arrive.
  void settle() {
    for (auto& p : receivers_) p.actor().resume();
    for (auto& p : senders_) p.actor().resume();
    scheduler::run();
    for (auto& p : senders_) found.expect(p.actor().is_done(), fault::stuck);
    book_.close();
    found.expect(dropped_values() == (found.lost > UINT16_MAX ? UINT16_MAX : found.lost), fault::wrong_loss);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;

 private:
  struct sender : placed, coroutine<sender, deadline> {
    sender(channel_stress& s, uint8_t i) : of(s), id(i) {}

    point step(point at) {
      BATON_BEGIN();
      while (!of.is_over) {
        value = of.book_.begin(id);
        is_sending = true;
        if (of.chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(of.chance.below(9)), of.pipe_.send(value));
        } else {
          BATON_WAIT(of.pipe_.send(value));
        }
        is_sending = false;
        of.saw(*this);
        of.book_.end(value, this->result() == status::ok);
        if (of.is_slow(1)) BATON_DELAY_UNTIL(port::now() + of.chance.below(60));
        cancelled = false;
      }
      BATON_END();
    }

    /// Called before a restart or the destructor: nobody will read the end of its wait.
    void goes_away() {
      if (is_sending) of.book_.end(value, !this->is_listed() && this->result() == status::ok);
      is_sending = cancelled = false;
    }

    channel_stress& of;
    message value;
    uint8_t id;
    bool is_sending = false;
    bool cancelled = false;
  };

  struct receiver : placed, coroutine<receiver, deadline> {
    explicit receiver(channel_stress& s) : of(s) {}

    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        if (!of.is_over && of.chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(of.chance.below(9)), of.pipe_.receive(value));
        } else {
          BATON_WAIT(of.pipe_.receive(value));
        }
        of.saw(*this);
        if (holds) {
          of.found.expect(this->result() == status::ok, fault::wrong_status);
          of.found.expect(value.number == handed.number && value.from == handed.from, fault::value_changed);
        } else if (this->result() == status::ok) {
          of.book_.arrive(value);
        }
        holds = false;
        if (of.is_slow(2)) BATON_DELAY_UNTIL(port::now() + of.chance.below(60));
        cancelled = false;
      }
      BATON_END();
    }

    void goes_away() {
      if (holds) ++of.found.lost;
      holds = cancelled = false;
    }

    channel_stress& of;
    message value;
    message handed;
    bool holds = false;  // a value was handed to the receiver, which has not read it
    bool cancelled = false;
  };

  bool is_slow(uint8_t in_phase) { return chance.one_in(phase == in_phase ? 1 : 8); }

  static channel_stress*& running() {
    static channel_stress* stress;
    return stress;
  }

  /// Records each hand-over to a waiting receiver at the moment of the hand-over.
  static void on_transition(transition what, const job* who, const void*) {
    if (what != transition::ready) return;
    for (auto& p : running()->receivers_) {
      if (!p.holds(who)) continue;
      receiver& r = p.actor();
      if (who != static_cast<job*>(&r) || r.holds || r.on != waiter::delivered || !(r.at & suspended)) return;
      r.holds = true;
      r.handed = r.value;
      running()->book_.arrive(r.value);
      return;
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
        a.restart();
        break;
      case blow::destroy:
        a.goes_away();
        a.~Actor();
        make();
        break;
    }
    if (lost != UINT16_MAX) {
      found.expect(static_cast<uint16_t>(dropped_values() - lost) == found.lost - lost_before, fault::wrong_loss);
    }
  }

  /// Called at the end of a wait: a cancel that was not too late must be its end.
  template <typename Actor>
  void saw(const Actor& a) {
    if (a.cancelled) found.expect(a.result() == status::cancelled, fault::wrong_status);
    if (a.result() == status::timed_out) ++found.timed_out;
  }

  void make_sender(uint8_t i) {
    senders_[i].make(*this, i);
    senders_[i].actor().start();
  }
  void make_receiver(uint8_t i) {
    receivers_[i].make(*this);
    receivers_[i].actor().start();
  }

  ledger<senders> book_;
  Channel pipe_;
  place<sender> senders_[senders];
  place<receiver> receivers_[receivers];
};

}  // namespace stress
