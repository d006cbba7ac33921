// SPDX-License-Identifier: MIT
#pragma once

#include <waits/model_state.hpp>

namespace baton {
namespace test {
namespace waits {

/// The wait protocol as docs/wait-protocol.md tells it, written again with plain lists: no links,
/// no marks and no claims. `model_steps` makes the steps.
class model {
 public:
  row<entry, most_tasks> ready;  // the head first
  row<timer_model, most_tasks> timers;
  task_model tasks[most_tasks] = {};
  primitive_model of[primitives] = {};
  uint8_t hand_overs = 0;  // calls in a row that went past the queue while others were ready

  static constexpr uint8_t most_hand_overs = 8;

  // The ready queue.

  void push(uint8_t t) { push(entry{t, 0, 0}); }
  void push(entry e) {
    tasks[e.task].what = stage::ready;
    ready.push(e);
  }
  void push_next(uint8_t t) {
    tasks[t].what = stage::ready;
    ready.insert(ready.size == 0 ? 0 : 1, {t, 0, 0});
  }
  bool leave_ready(uint8_t t) {
    for (uint8_t i = 0; i < ready.size; ++i) {
      if (ready.at[i].task != t) continue;
      ready.take(i);
      return true;
    }
    return false;
  }

  // Timers: in the order of their due times, and of the arming.

  void arm(uint8_t t, uint8_t left) {
    uint8_t i = 0;
    while (i < timers.size && timers.at[i].left <= left) ++i;
    timers.insert(i, {t, left});
  }
  void disarm(uint8_t t) {
    for (uint8_t i = 0; i < timers.size; ++i) {
      if (timers.at[i].task == t) timers.take(i);
    }
  }

  // Waits.

  /// Takes the task out of every queue. false: it was in none.
  bool unlink(uint8_t t) {
    bool any = false;
    for (primitive_model& p : of) {
      for (uint8_t i = p.queue.size; i-- != 0;) {
        if (p.queue.at[i].task != t) continue;
        p.queue.take(i);
        if (p.queue.size == 0) p.side = waiting_side::nobody;
        any = true;
      }
    }
    return any;
  }

  /// Ends the wait of a task before its operation has happened. false: it has, or there is no wait.
  bool withdraw(uint8_t t) {
    if (unlink(t)) return true;
    if (tasks[t].what != stage::in_service) return false;
    for (task_model& server : tasks) {
      if (server.client == t) server.client = none, server.request = 0;
    }
    return true;
  }

  void wait(wait_case c, entry e) {
    of[c.on].side =
        c.what == order::receive || c.what == order::serve ? waiting_side::receivers : waiting_side::senders;
    of[c.on].queue.push(e);
    tasks[e.task].what = stage::waiting;
  }

  /// Takes the oldest waiter of this side; the other cases of its select go with it.
  bool take(uint8_t p, waiting_side side, entry& e) {
    if (of[p].side != side) return false;
    e = of[p].queue.at[0];
    unlink(e.task);
    if (e.is_case) tasks[e.task].selected = e.of_case;
    return true;
  }

  void end(entry e, status how) {
    tasks[e.task].end = how;
    push(e);
  }

  void close(uint8_t p) {
    while (of[p].queue.size != 0) {
      entry e;
      take(p, of[p].side, e);
      end(e, status::closed);
    }
    of[p].side = waiting_side::closed;
  }

  // The operations.

  bool send(uint8_t p, uint8_t value) {
    entry e;
    if (take(p, waiting_side::receivers, e)) {
      tasks[e.task].in[e.of_case] = value;
      tasks[e.task].is_unread = 1;
      end(e, status::ok);
      return true;
    }
    if (of[p].side == waiting_side::closed || of[p].stored.size == of[p].capacity) return false;
    of[p].stored.push(value);
    return true;
  }

  bool receive(uint8_t p, uint8_t& value) {
    const bool is_stored = of[p].stored.size != 0;
    if (is_stored) value = of[p].stored.take(0);
    entry e;
    if (!take(p, waiting_side::senders, e)) return is_stored;
    const uint8_t sent = tasks[e.task].out[e.of_case];
    if (is_stored) {
      of[p].stored.push(sent);
    } else {
      value = sent;
    }
    end(e, status::ok);
    return true;
  }

  void hold(uint8_t server, uint8_t client) {
    tasks[server].client = client;
    tasks[server].request = tasks[client].asks;
    tasks[client].what = stage::in_service;
  }

  bool serve(uint8_t t) {
    entry client;
    if (!take(the_endpoint, waiting_side::senders, client)) return false;
    hold(t, client.task);
    return true;
  }

  /// The head calls: the server that waits runs next, in its place.
  bool call(uint8_t t) {
    entry server;
    if (!take(the_endpoint, waiting_side::receivers, server)) return false;
    hold(server.task, t);
    tasks[server.task].end = status::ok;
    tasks[server.task].what = stage::ready;
    const bool is_past = ready.size == 1 || ++hand_overs <= most_hand_overs;
    if (is_past) {
      ready.at[0] = server;
    } else {
      hand_overs = 0;
      ready.push(server);
      ready.take(0);
    }
    return true;
  }

  void abandon(uint8_t t) {
    const uint8_t client = tasks[t].client;
    tasks[t].client = none;
    tasks[t].request = 0;
    if (client != none) end({client, 0, 0}, status::peer_gone);
  }

  /// A value that is nowhere in this state.
  uint8_t unused_value() const {
    uint32_t used = 1;
    for (const task_model& t : tasks) {
      for (uint8_t i = 0; i < cases; ++i) used |= 1u << t.out[i] | 1u << t.in[i];
      used |= 1u << t.asks | 1u << t.answer | 1u << t.request;
    }
    for (const primitive_model& p : of) {
      for (uint8_t i = 0; i < p.stored.size; ++i) used |= 1u << p.stored.at[i];
    }
    uint8_t value = 1;
    while (used >> value & 1) ++value;
    return value;
  }
};

}  // namespace waits
}  // namespace test
}  // namespace baton
