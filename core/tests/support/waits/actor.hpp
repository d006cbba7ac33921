// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <type_traits>
#include <waits/model_state.hpp>

namespace baton {
namespace test {
namespace waits {

template <uint8_t First, uint8_t Second>
struct things {
  channel<uint8_t, First> a;
  channel<uint8_t, Second> b;
  endpoint<uint8_t, uint8_t> e;
};

using exchange_type = exchange<uint8_t, uint8_t>;

/// The operation that the running task begins, and where it writes what it learns.
struct desk {
  const move* next = nullptr;
  outcome* seen = nullptr;

  static desk& get() {
    static desk one;
    return one;
  }
};

struct no_deadlines {};
struct has_deadlines {};
struct no_selects {};
struct has_selects {};

/// A task whose body asks the desk for each operation. It runs one operation at a time: after one
/// that did not wait it stays the head of the ready queue, and goes on in the next run.
template <typename Things, typename Base, typename Deadlines, typename Selects>
struct actor : coroutine<actor<Things, Base, Deadlines, Selects>, serving<uint8_t, uint8_t, Base>> {
  explicit actor(Things& t, uint8_t number) : of(t), task(number) {}

  point step(point resumed) {
    if (resumed == timed_wait) disarm(Deadlines());
    if (resumed == wait || resumed == timed_wait) learn();
    return begin(*desk::get().next);
  }

  /// True for a record whose operation the task has begun, and not learned the end of.
  bool is_pending() const { return pending != order::yield; }

  /// The low byte of `on`: one of waiter's codes, unless the task is in a list.
  uint8_t code() const { return this->is_listed() ? uint8_t{0} : static_cast<uint8_t>(this->on); }

  /// Clears what belongs to a wait.
  void forget() {
    out[0] = out[1] = in[0] = in[1] = 0;
    x.request = x.reply = 0;
    pending = order::yield;
  }

  Things& of;
  uint8_t task;
  order pending = order::yield;
  uint8_t out[cases] = {};
  uint8_t in[cases] = {};
  exchange_type x;

 private:
  enum label : point { home = 1, wait = suspended | 2, timed_wait = suspended | 3, pause = suspended | 4 };

  void learn() {
    const status how = this->result();
    const bool has_selected = pending == order::choose && (how == status::ok || how == status::closed);
    const bool has_served = how == status::ok && this->current.is_open();
    desk::get().seen->notes.push({task,
                                  how,
                                  has_selected ? selected_index(Selects()) : uint8_t{0},
                                  {in[0], in[1]},
                                  has_served ? this->current.request() : uint8_t{0},
                                  x.reply});
    forget();
  }

  point begin(const move& m) {
    switch (m.begins) {
      case order::yield:
        return home;
      case order::suspend_self:
        this->at = pause;
        this->suspend_self_();
        return suspended;
      case order::sleep:
        this->at = pause;
        return sleep(Deadlines());
      case order::end:
        return this->end_();
      default:
        return begin_wait(m);
    }
  }

  point begin_wait(const move& m) {
    pending = m.begins;
    for (uint8_t i = 0; i < cases; ++i) out[i] = desk::get().seen->sent[i];
    if (m.begins == order::choose) return choose(m, Selects());
    if (m.begins == order::call) {
      x.request = out[0];
      out[0] = 0;
      return wait_on(of.e.call(x), m.limit);
    }
    return with_case<0>(m.of[0], [&](auto operation) { return this->wait_on(operation, m.limit); });
  }

  template <uint8_t Case, typename Use>
  point with_case(wait_case c, Use use) {
    if (c.what == order::serve) return use(of.e.receive(this->current));
    if (c.what == order::send) return c.on == 0 ? use(of.a.send(out[Case])) : use(of.b.send(out[Case]));
    return c.on == 0 ? use(of.a.receive(in[Case])) : use(of.b.receive(in[Case]));
  }

  point choose(const move& m, has_selects) {
    return with_case<0>(m.of[0], [&](auto first) {
      return this->template with_case<1>(
          m.of[1], [&](auto second) { return this->wait_on(this->any_of_(first, second), m.limit); });
    });
  }
  point choose(const move&, no_selects) { return suspended; }
  uint8_t selected_index(has_selects) const { return this->selected(); }
  uint8_t selected_index(no_selects) const { return 0; }

  template <typename Operation>
  point wait_on(Operation operation, uint8_t limit) {
    if (limit == unlimited ? this->wait_(wait, operation) : wait_for(operation, limit, Deadlines())) return suspended;
    learn();
    this->at = home;
    return suspended;  // goes on at once
  }

  template <typename Operation>
  bool wait_for(Operation operation, uint8_t limit, has_deadlines) {
    return this->wait_for_(timed_wait, ticks(limit), operation);
  }
  template <typename Operation>
  bool wait_for(Operation operation, uint8_t, no_deadlines) {
    return this->wait_(wait, operation);
  }
  void disarm(has_deadlines) { this->disarm_(); }
  void disarm(no_deadlines) {}
  point sleep(has_deadlines) {
    this->sleep_for_(ticks(1));
    return suspended;
  }
  point sleep(no_deadlines) { return home; }
};

}  // namespace waits
}  // namespace test
}  // namespace baton
