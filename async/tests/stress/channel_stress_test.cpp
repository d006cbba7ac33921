// SPDX-License-Identifier: MIT
#include "actors.hpp"

// C++20 senders and receivers at one channel are cancelled, stopped, timed out and destroyed at
// random. Each value that a send reports as sent arrives once and in order, or is counted as lost
// with the receiver that it was handed to.

using namespace stress;

namespace {

template <uint16_t Slots>
class channel_stress {
 public:
  static constexpr uint8_t senders = 8, receivers = 8, nobody = 0xff;

  explicit channel_stress(uint32_t seed) : chance(seed), book_(found) { actors_.tell(this, &handed); }

  void begin() {
    for (uint8_t i = 0; i < senders + receivers; ++i) start(i);
  }

  /// Attacks one actor, from another actor or from outside.
  void strike(uint8_t by) {
    const uint8_t i = static_cast<uint8_t>(chance.below(senders + receivers));
    if (i == by) return;
    if (has_ended_[i]) return start_again(i);
    actor& a = actors_[i];
    const uint16_t kind = chance.below(64);
    if (kind < 58) return cancel(a, false, found);
    if (kind < 61) return cancel(a, true, found);
    goes_away(i);
    start(i);
  }

  /// Lets the senders end, and everything arrive.
  void settle() {
    for (uint8_t i = 0; i < senders; ++i) cancel(actors_[i], true, found);
  }

  void end() {
    for (uint8_t i = 0; i < senders; ++i) found.expect(actors_[i].own_scope->running() == 0, fault::stuck);
    for (uint8_t i = 0; i < senders + receivers; ++i) goes_away(i);
    book_.close();
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;

 private:
  task<> sends(uint8_t id) {
    message& m = values_[id];
    actors_[id].begins_wait();
    while (!is_over && !actors_[id].own_scope->is_stopping()) {
      m = book_.begin(id);
      sending_[id] = true;
      const status s = co_await any_wait(actors_[id], chance, pipe_.send(m), never_set_);
      sending_[id] = false;
      book_.end(m, s == status::ok);
      check_end(actors_[id], s, found);
      co_await lingers(id, 1);
    }
    has_ended_[id] = true;
  }

  task<> receives(uint8_t id) {
    message& m = values_[id];
    actors_[id].begins_wait();
    for (;;) {
      is_receiving_[id] = true;
      const status s = co_await any_wait(actors_[id], chance, pipe_.receive(m), never_set_);
      is_receiving_[id] = false;
      if (s == status::ok && !actors_[id].ended) book_.arrive(m);  // the receive did not have to wait
      check_end(actors_[id], s, found);
      if (actors_[id].own_scope->is_stopping()) break;
      co_await lingers(id, 2);
    }
    has_ended_[id] = true;
  }

  /// Slows one side down in a phase, so that the other side waits long. Then it may attack.
  task<> lingers(uint8_t id, uint8_t slow_phase) {
    if (chance.one_in(phase == slow_phase ? 1 : 8)) co_await async::sleep_for(ticks(chance.below(60)));
    actors_[id].begins_wait();
    if (chance.one_in(4)) strike(id);
  }

  /// Starts a new coroutine in a new scope, in place of one that has ended after its scope was
  /// stopped.
  void start_again(uint8_t id) {
    if (actors_[id].own_scope->running() == 0 && !is_over) start(id);
  }

  /// Called when a value has been stored in the variable of a receiver.
  static void handed(void* stress, uint8_t id) {
    channel_stress& s = *static_cast<channel_stress*>(stress);
    if (id >= senders && s.is_receiving_[id] && s.actors_[id].how == status::ok) s.book_.arrive(s.values_[id]);
  }

  void goes_away(uint8_t id) {
    actor& a = actors_[id];
    domain::dropped_values() = 0;
    a.own_scope->destroy_all();
    const bool has_lost = dropped_values() != 0;
    if (id < senders) {
      if (sending_[id]) book_.end(values_[id], a.ended && a.how == status::ok);
      sending_[id] = false;
      found.expect(!has_lost, fault::wrong_loss);
    } else {
      const bool held = is_receiving_[id] && a.ended && a.how == status::ok;
      found.expect(has_lost == held, fault::wrong_loss);
      if (held) ++found.lost;
      is_receiving_[id] = false;
    }
    a.begins_wait();
  }

  void start(uint8_t id) {
    actor& a = actors_[id];
    a.own_scope.emplace();
    a.begins_wait();
    has_ended_[id] = false;
    a.own_scope->spawn(id < senders ? sends(id) : receives(id));
  }

  ledger<senders> book_;
  channel<message, Slots> pipe_;
  async::manual_event never_set_;
  cast<senders + receivers> actors_;
  message values_[senders + receivers];
  bool sending_[senders] = {};
  bool is_receiving_[senders + receivers] = {};
  bool has_ended_[senders + receivers] = {};
};

template <uint16_t Slots>
void check(uint32_t seed, bool in_loop) {
  auto s = rage_in<channel_stress<Slots>>(seed, in_loop);
  CHECK_EQ(s->found.first, fault::none);
  CHECK_WITH(s->found.faults == 0, seed);
  CHECK(s->found.done > blows / 8);
  CHECK(s->found.cancelled + s->found.timed_out >= a_million);
  CHECK(s->found.cancelled > blows / 16);
  CHECK(s->found.timed_out > blows / 32);
  CHECK(s->found.lost > blows / 1024);
  DOCTEST_MESSAGE(s->found.done << " arrived, " << s->found.cancelled << " cancelled, " << s->found.timed_out
                                << " timed out, " << s->found.lost << " lost");
}

}  // namespace

TEST_CASE("a stress test at a rendezvous, under a loop") {
  check<0>(3, true);
}

TEST_CASE("a stress test at a rendezvous, under core's timers") {
  check<0>(4, false);
}

TEST_CASE("a stress test at a channel of four, under a loop") {
  check<4>(5, true);
}
