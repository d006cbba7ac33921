// SPDX-License-Identifier: MIT
#pragma once

#include "stress.hpp"

namespace stress {

/// The reply to a request: the request, changed so that it equals no other message.
inline message answer_to(const message& m) {
  return {static_cast<uint8_t>(m.from ^ 0x55), static_cast<uint16_t>(m.number * 3 + 1)};
}

/// 8 clients and 3 servers at one endpoint.
template <typename Endpoint>
class endpoint_stress {
 public:
  static constexpr uint8_t clients = 8;
  static constexpr uint8_t servers = 3;

  explicit endpoint_stress(uint32_t seed) : chance(seed) {
    for (uint8_t i = 0; i < clients; ++i) make_client(i);
    for (uint8_t i = 0; i < servers; ++i) make_server(i);
  }

  void strike() {
    uint8_t i = static_cast<uint8_t>(chance.below(clients + servers));
    blow b = any_blow(chance);
    if (i < clients) {
      strike_at(clients_[i].actor(), b, [this, i] { make_client(i); });
    } else {
      i = static_cast<uint8_t>(i - clients);
      server& s = servers_[i].actor();
      strike_at(s, s.is_done() ? blow::restart : b, [this, i] { make_server(i); });
    }
  }

  /// Lets the clients end.
  void settle() {
    for (auto& p : servers_) {
      if (p.actor().is_done()) p.actor().restart();
      p.actor().resume();
    }
    for (auto& p : clients_) p.actor().resume();
    scheduler::run();
    for (auto& p : clients_) found.expect(p.actor().is_done(), fault::stuck);
    found.expect(dropped_values() == 0, fault::wrong_loss);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;
  uint32_t gone = 0;      // calls that ended because their server went away
  uint32_t too_late = 0;  // replies for which no client waited
  uint32_t timed_out_in_service = 0;

 private:
  enum call_state : uint8_t { idle, calling, taken, replied, abandoned };

  struct client : placed, coroutine<client, deadline> {
    client(endpoint_stress& s, uint8_t i) : of(s), id(i) {}

    point step(point at) {
      BATON_BEGIN();
      while (!of.is_over) {
        x.request = {id, ++of.number_[id]};
        of.state_[id] = calling;
        if (of.chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(of.chance.below(12)), of.desk_.call(x));
        } else {
          BATON_WAIT(of.desk_.call(x));
        }
        of.call_ended(*this);
        if (of.is_slow(1)) BATON_DELAY_UNTIL(port::now() + of.chance.below(60));
        cancelled = false;
      }
      BATON_END();
    }

    void goes_away() {
      of.state_[id] = idle;
      cancelled = false;
    }

    endpoint_stress& of;
    exchange<message, message> x;
    uint8_t id;
    bool cancelled = false;
  };

  struct server : placed, coroutine<server, serving<message, message, deadline>> {
    explicit server(endpoint_stress& s) : of(s) {}

    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        if (!of.is_over && of.chance.one_in(4)) {
          BATON_WAIT_FOR(ticks(of.chance.below(12)), of.desk_.receive(this->current));
        } else {
          BATON_WAIT(of.desk_.receive(this->current));
        }
        if (cancelled) of.found.expect(this->result() == status::cancelled, fault::wrong_status);
        cancelled = false;
        if (this->result() != status::ok) continue;
        of.take(*this);
        while (of.is_slow(2)) BATON_DELAY_UNTIL(port::now() + of.chance.below(20));
        cancelled = false;
        if (!of.is_over && of.chance.one_in(32)) {
          of.abandons(*this);
          break;
        }
        of.answer(*this);
      }
      BATON_END();
    }

    void goes_away() {
      of.abandons(*this);
      cancelled = false;
    }

    endpoint_stress& of;
    bool cancelled = false;
  };

  bool is_slow(uint8_t in_phase) { return chance.below(8) < (phase == in_phase ? 5 : 1); }

  /// True if the client of a request still waits for the reply to this request.
  bool waits_for(const message& m) {
    const client& c = clients_[m.from].actor();
    return c.on == waiter::in_service && number_[m.from] == m.number;
  }

  void take(server& s) {
    const message& m = s.current.request();
    if (m.from >= clients) return found.add(fault::unknown_value);
    note_taken(m);
    found.expect(s.current.is_open() == waits_for(m), fault::wrong_status);
    if (s.current.is_open()) state_[m.from] = taken;
  }

  /// Records that a server has taken a request. A server that was suspended after the hand-over
  /// takes its request late, after younger ones, and no client waits for it.
  void note_taken(const message& m) {
    int16_t newer = static_cast<int16_t>(m.number - last_taken_[m.from]);
    if (newer > 0) {
      taken_[m.from] = newer < 32 ? taken_[m.from] << newer : 0;
      last_taken_[m.from] = m.number;
      newer = 0;
    }
    if (newer <= -32) return;
    uint32_t bit = static_cast<uint32_t>(1) << -newer;
    found.expect(!(taken_[m.from] & bit), fault::served_twice);
    taken_[m.from] |= bit;
  }

  void answer(server& s) {
    message m = s.current.request();
    bool is_awaited = waits_for(m);
    found.expect(s.current.is_open() == is_awaited, fault::wrong_status);
    status how = desk_.reply(s.current, answer_to(m));
    found.expect(how == (is_awaited ? status::ok : status::peer_gone), fault::wrong_status);
    if (how == status::ok) {
      found.expect(state_[m.from] == taken, fault::wrong_reply);
      state_[m.from] = replied;
    } else {
      ++too_late;
    }
  }

  void abandons(server& s) {
    if (!s.current.is_open()) return;
    const message& m = s.current.request();
    found.expect(waits_for(m), fault::wrong_status);
    state_[m.from] = abandoned;
  }

  void call_ended(client& c) {
    call_state state = state_[c.id];
    state_[c.id] = idle;
    status how = c.result();
    if (c.cancelled) found.expect(how == status::cancelled, fault::wrong_status);
    found.expect((how == status::ok) == (state == replied), fault::wrong_status);
    found.expect((how == status::peer_gone) == (state == abandoned), fault::wrong_status);
    if (how == status::ok) {
      message right = answer_to(c.x.request);
      found.expect(c.x.reply.from == right.from && c.x.reply.number == right.number, fault::wrong_reply);
      ++found.done;
    }
    if (how == status::peer_gone) ++gone;
    if (how == status::timed_out) ++found.timed_out;
    if (how == status::timed_out && state == taken) ++timed_out_in_service;
  }

  template <typename Actor, typename Make>
  void strike_at(Actor& a, blow b, Make make) {
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
  }

  void make_client(uint8_t i) {
    clients_[i].make(*this, i);
    clients_[i].actor().start();
  }
  void make_server(uint8_t i) {
    servers_[i].make(*this);
    servers_[i].actor().start();
  }

  Endpoint desk_;
  uint16_t number_[clients] = {};
  uint16_t last_taken_[clients] = {};
  uint32_t taken_[clients] = {};  // bit i: request last_taken_ - i was taken
  call_state state_[clients] = {};
  place<client> clients_[clients];
  place<server> servers_[servers];
};

}  // namespace stress
