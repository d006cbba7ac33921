// SPDX-License-Identifier: MIT
#pragma once

#include <waits/model.hpp>

namespace baton {
namespace test {
namespace waits {

/// Makes a step of the model, and tells what it gives.
class model_steps {
 public:
  explicit model_steps(model& m) : m_(m) {}

  outcome make(const move& step) {
    switch (step.what) {
      case act::run:
        run(step);
        break;
      case act::tick:
        for (uint8_t i = 0; i < m_.timers.size; ++i) m_.timers.at[i].left -= m_.timers.at[i].left != 0;
        break;
      default:
        if (step.what <= act::make_anew) {
          on_primitive(step.what, step.at);
        } else {
          on_task(step.what, step.at);
        }
    }
    return outcome_;
  }

 private:
  // A run.

  void run(const move& step) {
    expire();
    if (m_.ready.size == 0) return;
    entry& head = m_.ready.at[0];
    if (head.is_case) {
      head = {head.task, 0, 0};  // the case gives its place to the task
      return;
    }
    const uint8_t t = head.task;
    learn(t);
    begin(t, step);
  }

  void expire() {
    while (m_.timers.size != 0 && m_.timers.at[0].left == 0) {
      const uint8_t t = m_.timers.take(0).task;
      const bool sleeps = m_.tasks[t].what == stage::sleeping;
      if (sleeps || m_.withdraw(t)) m_.end({t, 0, 0}, sleeps ? status::ok : status::timed_out);
    }
  }

  /// The task learns how its wait has ended.
  void learn(uint8_t t) {
    task_model& me = m_.tasks[t];
    if (me.pending == order::yield) return;
    const bool has_selected = me.pending == order::choose && (me.end == status::ok || me.end == status::closed);
    const bool has_served = me.end == status::ok && me.client != none;
    outcome_.notes.push({t,
                         me.end,
                         has_selected ? me.selected : uint8_t{0},
                         {me.in[0], me.in[1]},
                         has_served ? me.request : uint8_t{0},
                         me.answer});
    if (me.is_timed) m_.disarm(t);
    forget(t);
  }

  /// Clears what belongs to a wait.
  void forget(uint8_t t) {
    task_model& me = m_.tasks[t];
    me.pending = order::yield;
    me.end = status::ok;
    me.is_timed = me.is_unread = me.selected = me.asks = me.answer = 0;
    for (uint8_t i = 0; i < cases; ++i) me.out[i] = me.in[i] = 0;
  }

  void begin(uint8_t t, const move& step) {
    task_model& me = m_.tasks[t];
    switch (step.begins) {
      case order::yield:
        return m_.ready.push(m_.ready.take(0));
      case order::suspend_self:
        m_.ready.take(0);
        me.what = stage::out;
        return;
      case order::sleep:
        m_.ready.take(0);
        me.what = stage::sleeping;
        return m_.arm(t, 1);
      case order::end:
        m_.ready.take(0);
        me.what = stage::done;
        return m_.abandon(t);
      default:
        return begin_wait(t, step);
    }
  }

  void begin_wait(uint8_t t, const move& step) {
    task_model& me = m_.tasks[t];
    const uint8_t count = step.begins == order::choose ? cases : 1;
    me.pending = step.begins;
    me.end = status::ok;
    if (step.begins == order::call) outcome_.sent[0] = me.asks = m_.unused_value();
    for (uint8_t i = 0; i < count; ++i) {
      if (step.of[i].what == order::send) outcome_.sent[i] = me.out[i] = m_.unused_value();
    }
    for (uint8_t i = 0; i < count; ++i) {
      if (!is_done(t, i, step.of[i])) continue;
      me.selected = i;
      return learn(t);
    }
    const bool is_called = step.begins == order::call && m_.call(t);
    if (!is_called && !waits(t, count, step)) return;
    me.is_timed = step.limit != unlimited;
    if (me.is_timed) m_.arm(t, step.limit);
  }

  bool is_done(uint8_t t, uint8_t i, wait_case c) {
    task_model& me = m_.tasks[t];
    if (c.what == order::send) return m_.send(c.on, me.out[i]);
    if (c.what == order::receive) return m_.receive(c.on, me.in[i]);
    return c.what == order::serve && m_.serve(t);
  }

  /// false: a primitive is closed, and the head goes on.
  bool waits(uint8_t t, uint8_t count, const move& step) {
    task_model& me = m_.tasks[t];
    const bool selects = step.begins == order::choose;
    for (uint8_t i = 0; i < count; ++i) {
      if (m_.of[step.of[i].on].side != waiting_side::closed) continue;
      me.end = status::closed;
      me.selected = i;
      me.is_timed = step.limit != unlimited;
      return false;
    }
    m_.ready.take(0);
    for (uint8_t i = 0; i < count; ++i) m_.wait(step.of[i], {t, selects ? i : uint8_t{0}, selects});
    return true;
  }

  // From outside.

  void on_primitive(act what, uint8_t p) {
    const bool is_closed = m_.of[p].side == waiting_side::closed;
    bool is_done = true;
    uint8_t value = 0;
    if (what == act::try_send) is_done = m_.send(p, outcome_.sent[0] = m_.unused_value());
    if (what == act::try_receive) is_done = m_.receive(p, value);
    if (what >= act::close) m_.close(p);
    if (what == act::make_anew) m_.of[p].side = waiting_side::nobody, m_.of[p].stored = {};
    outcome_.value = value;
    const status refused = is_closed ? status::closed : what == act::try_send ? status::full : status::empty;
    outcome_.given = static_cast<uint8_t>(is_done ? status::ok : refused);
  }

  void on_task(act what, uint8_t t) {
    task_model& me = m_.tasks[t];
    switch (what) {
      case act::start:
        if (me.what == stage::fresh) m_.push(t);
        return;
      case act::cancel:
        outcome_.given = ends_wait(t);
        if (outcome_.given) m_.push(t);
        return;
      case act::suspend:
        if (ends_wait(t) || m_.leave_ready(t)) me.what = stage::out;
        return;
      case act::resume:
        if (me.what == stage::out) m_.push(t);
        return;
      case act::restart:
        leave(t);
        return m_.push(t);
      case act::destroy:
        leave(t);
        me.what = stage::fresh;
        return;
      case act::reply:
        return reply(t);
      default:
        return m_.abandon(t);
    }
  }

  /// Ends a wait with `cancelled`, in no list. A case that was taken gives its place to the task.
  bool ends_wait(uint8_t t) {
    task_model& me = m_.tasks[t];
    m_.disarm(t);
    for (uint8_t i = 0; i < m_.ready.size; ++i) {
      if (m_.ready.at[i].task == t) m_.ready.at[i] = {t, 0, 0};
    }
    if (me.what != stage::sleeping && !m_.withdraw(t)) return false;
    me.end = status::cancelled;
    return true;
  }

  void leave(uint8_t t) {
    if (!ends_wait(t)) m_.leave_ready(t);
    outcome_.dropped = m_.tasks[t].is_unread;
    forget(t);
    m_.abandon(t);
  }

  void reply(uint8_t t) {
    const uint8_t client = m_.tasks[t].client;
    outcome_.given = static_cast<uint8_t>(client == none ? status::peer_gone : status::ok);
    if (client == none) return;
    outcome_.sent[0] = m_.unused_value();
    m_.tasks[client].answer = outcome_.sent[0];
    m_.tasks[client].end = status::ok;
    m_.tasks[t].client = none;
    m_.tasks[t].request = 0;
    m_.push_next(client);
  }

  model& m_;
  outcome outcome_;
};

}  // namespace waits
}  // namespace test
}  // namespace baton
