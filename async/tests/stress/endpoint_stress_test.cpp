// SPDX-License-Identifier: MIT
#include "actors.hpp"

// C++20 clients and servers at one endpoint are cancelled, stopped, timed out and destroyed at
// random, the servers also while they hold a request. Each call ends once, with the reply to its
// own request or with the true reason.

using namespace stress;

namespace {

using desk = endpoint<message, message>;

/// The reply to a request: a changed copy, which cannot be mistaken for another message.
message answer_to(const message& m) {
  return {static_cast<uint8_t>(m.from ^ 0x55), static_cast<uint16_t>(m.number * 3 + 1)};
}

class endpoint_stress {
 public:
  static constexpr uint8_t clients = 8, servers = 3, nobody = 0xff;

  explicit endpoint_stress(uint32_t seed) : chance(seed) {}

  void begin() {
    for (uint8_t i = 0; i < clients + servers; ++i) start(i);
  }

  void strike(uint8_t by) {
    const uint8_t i = static_cast<uint8_t>(chance.below(clients + servers));
    if (i == by) return;
    if (has_ended_[i]) {
      if (actors_[i].own_scope->running() == 0 && !is_over) start(i);
      return;
    }
    const uint16_t kind = chance.below(64);
    if (kind < 61) return cancel(actors_[i], kind >= 58, found);
    goes_away(i);
    start(i);
  }

  void settle() {
    for (uint8_t i = 0; i < clients; ++i) cancel(actors_[i], true, found);
  }

  void end() {
    for (uint8_t i = 0; i < clients; ++i) found.expect(actors_[i].own_scope->running() == 0, fault::stuck);
    for (uint8_t i = 0; i < clients + servers; ++i) goes_away(i);
    found.expect(dropped_values() == 0, fault::wrong_loss);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;
  uint32_t gone = 0, too_late = 0, timed_out_in_service = 0;

 private:
  enum call_state : uint8_t { idle, calling, taken, replied, abandoned };

  task<> calls(uint8_t id) {
    desk::exchange_type x;
    actors_[id].begins_wait();
    while (!is_over && !actors_[id].own_scope->is_stopping()) {
      x.request = {id, ++number_[id]};
      state_[id] = calling;
      const status s = co_await any_wait(actors_[id], chance, desk_.call(x), never_set_);
      call_ended(id, s, x);
      co_await lingers(id, 1);
    }
    has_ended_[id] = true;
  }

  task<> serves(uint8_t id) {
    actor& a = actors_[id];
    a.begins_wait();
    while (!a.own_scope->is_stopping()) {
      desk::served_type held;
      held_[id - clients] = &held;
      const status s = co_await any_wait(a, chance, desk_.receive(held), never_set_);
      check_end(a, s, found);
      if (s != status::ok) continue;
      takes(held);
      while (chance.below(8) < (phase == 2 ? 5 : 1)) co_await lingers(id, 2);
      if (held.is_open()) found.expect(waits_for(held.request()), fault::wrong_status);
      if (chance.one_in(32)) {
        abandons(held);
        held.abandon();
        continue;
      }
      answers(held);
    }
    held_[id - clients] = nullptr;
    has_ended_[id] = true;
  }

  task<> lingers(uint8_t id, uint8_t slow_phase) {
    if (chance.one_in(phase == slow_phase ? 1 : 8)) co_await async::sleep_for(ticks(chance.below(60)));
    actors_[id].begins_wait();
    if (chance.one_in(4)) strike(id);
  }

  /// True if the client of a request still waits for the reply to that request.
  bool waits_for(const message& m) {
    const actor& c = actors_[m.from];
    return c.waits && !c.ended && number_[m.from] == m.number && (state_[m.from] == calling || state_[m.from] == taken);
  }

  void takes(desk::served_type& held) {
    const message& m = held.request();
    if (m.from >= clients) return found.add(fault::unknown_value);
    note_taken(m);
    found.expect(held.is_open() == waits_for(m), fault::wrong_status);
    if (held.is_open()) state_[m.from] = taken;
  }

  /// Checks that no request is served twice, in any order of the servers.
  void note_taken(const message& m) {
    int16_t newer = static_cast<int16_t>(m.number - last_taken_[m.from]);
    if (newer > 0) {
      taken_[m.from] = newer < 32 ? taken_[m.from] << newer : 0;
      last_taken_[m.from] = m.number;
      newer = 0;
    }
    if (newer <= -32) return;
    const uint32_t bit = uint32_t{1} << -newer;
    found.expect(!(taken_[m.from] & bit), fault::served_twice);
    taken_[m.from] |= bit;
  }

  void answers(desk::served_type& held) {
    const message m = held.request();
    const bool is_awaited = waits_for(m);
    const status how = desk_.reply(held, answer_to(m));
    found.expect(how == (is_awaited ? status::ok : status::peer_gone), fault::wrong_status);
    if (how != status::ok) return void(++too_late);
    found.expect(state_[m.from] == taken, fault::wrong_reply);
    state_[m.from] = replied;
  }

  void abandons(const desk::served_type& held) {
    if (!held.is_open()) return;
    found.expect(waits_for(held.request()), fault::wrong_status);
    state_[held.request().from] = abandoned;
  }

  void call_ended(uint8_t id, status how, const desk::exchange_type& x) {
    const call_state state = state_[id];
    state_[id] = idle;
    check_end(actors_[id], how, found);
    found.expect((how == status::ok) == (state == replied), fault::wrong_status);
    found.expect((how == status::peer_gone) == (state == abandoned), fault::wrong_status);
    if (how == status::ok) {
      const message right = answer_to(x.request);
      found.expect(x.reply.from == right.from && x.reply.number == right.number, fault::wrong_reply);
      ++found.done;
    }
    if (how == status::peer_gone) ++gone;
    if (how == status::timed_out && state == taken) ++timed_out_in_service;
  }

  void goes_away(uint8_t id) {
    if (id < clients) {
      state_[id] = idle;
    } else if (desk::served_type* held = held_[id - clients]) {
      abandons(*held);
      held_[id - clients] = nullptr;
    }
    actors_[id].own_scope->destroy_all();
    actors_[id].begins_wait();
  }

  void start(uint8_t id) {
    actors_[id].own_scope.emplace();
    actors_[id].begins_wait();
    has_ended_[id] = false;
    actors_[id].own_scope->spawn(id < clients ? calls(id) : serves(id));
  }

  desk desk_;
  async::manual_event never_set_;
  cast<clients + servers> actors_;
  desk::served_type* held_[servers] = {};
  uint16_t number_[clients] = {};
  uint16_t last_taken_[clients] = {};
  uint32_t taken_[clients] = {};  // bit i: request last_taken_ - i was taken
  call_state state_[clients] = {};
  bool has_ended_[clients + servers] = {};
};

void check(uint32_t seed, bool in_loop) {
  auto s = rage_in<endpoint_stress>(seed, in_loop);
  CHECK_EQ(s->found.first, fault::none);
  CHECK_WITH(s->found.faults == 0, seed);
  CHECK(s->found.done > blows / 8);
  CHECK(s->found.cancelled + s->found.timed_out >= a_million);
  CHECK(s->found.cancelled > blows / 16);
  CHECK(s->found.timed_out > blows / 32);
  CHECK(s->gone > blows / 256);
  CHECK(s->too_late > blows / 256);
  CHECK(s->timed_out_in_service > blows / 256);
  DOCTEST_MESSAGE(s->found.done << " calls, " << s->found.cancelled << " cancelled, " << s->found.timed_out
                                << " timed out, " << s->gone << " servers gone, " << s->too_late
                                << " replies too late");
}

}  // namespace

TEST_CASE("a stress test at an endpoint, under a loop") {
  check(21, true);
}

TEST_CASE("a stress test at an endpoint, under core's timers") {
  check(22, false);
}
