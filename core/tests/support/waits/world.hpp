// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/search/hash.hpp>
#include <waits/comparison.hpp>
#include <waits/model_steps.hpp>

namespace baton {
namespace test {
namespace waits {

/// A small system of tasks and primitives, in core and in the model. It makes one step at a time,
/// and compares.
///
/// Context  one at a time: the domain and the clock are the program's.
template <typename Kinds>
class world {
 public:
  using state = snapshot<Kinds>;

  explicit world(const bounds& b) : bounds_(b), moves_(moves_of(bounds_)) {
    domain_words fresh;
    fresh.clock.now = static_cast<tick>(0) - 2;  // the clock wraps soon
    fresh.apply();
    live_.construct(bounds_.tasks);
    save();
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// The state as bytes; after `load` of these bytes the world is in that state again.
  const state& save() {
    live_.words = domain_words::of_this_thread();
    return live_;
  }
  void load(const void* bytes) {
    memcpy(static_cast<void*>(&live_), bytes, sizeof live_);
    live_.words.apply();
  }

  /// A hash of what tells a state from others: the model, and what core remembers besides. The end
  /// of a wait that its task has learned is left out, and so is the number of a channel's cursors.
  uint64_t key(const state& s) {
    search::hash h;
    h.add(&s.expected, sizeof s.expected);
    for (uint8_t t = 0; t < bounds_.tasks; ++t) {
      h.add(s.task(t).at);
      h.add(s.task(t).is_pending() ? s.task(t).code() : 0);
    }
    for (uint8_t p = 0; p < primitives; ++p) h.add(comparison<Kinds>(live_, bounds_.tasks).list_of(p)->kind);
    const domain_words& w = s.words;
    h.add(static_cast<uint64_t>(w.has_strays) | w.selects << 1 | w.has_timers << 2 | w.has_deadlines << 3 |
          w.clock.attention << 4);
    h.add(w.clock.alarm_set ? 1 + w.clock.alarm - w.clock.now : 0);
    return h.value();
  }

  const char* name() const { return bounds_.name; }
  size_t moves() const { return moves_.size(); }
  int running() const { return head_of(live_.expected); }
  std::string text(size_t i, int runner) const {
    const move& m = moves_[i];
    return (m.what == act::run ? "t" + std::to_string(runner) + "  " : "") + text_of(m);
  }

  /// A hash of what the last step gave.
  uint64_t copied() const {
    search::hash h;
    h.add(&outcome_, sizeof outcome_);
    return h.value();
  }

  /// True if the step makes sense in this state.
  bool allows(size_t i) const {
    const move& m = moves_[i];
    if (m.what == act::tick) return live_.expected.timers.size != 0;
    if (m.what != act::run) return true;
    return can_run(m);
  }

  /// Makes a step. Tells what is wrong after it; null: nothing is.
  const char* make(size_t i) {
    const move& m = moves_[i];
    outcome_ = outcome();
    desk::get().next = &m;
    desk::get().seen = &outcome_;
    const outcome expected = model_steps(live_.expected).make(m);
    memcpy(outcome_.sent, expected.sent, sizeof expected.sent);
    const uint16_t dropped = domain::dropped_values();
    make_in_core(m);
    outcome_.dropped = static_cast<uint8_t>(domain::dropped_values() - dropped);
    domain::dropped_values() = 0;
    if (!(outcome_.notes.size == expected.notes.size && outcome_.notes.at[0] == expected.notes.at[0] &&
          outcome_.notes.at[1] == expected.notes.at[1]))
      return "what a task learns of its wait";
    if (outcome_.given != expected.given) return "what a call gives";
    if (outcome_.value != expected.value) return "a value that is received from outside";
    if (outcome_.dropped != expected.dropped) return "the count of dropped values";
    return difference();
  }

  const char* difference() { return comparison<Kinds>(live_, bounds_.tasks).difference(); }

 private:
  /// The task that runs next; negative: none.
  static int head_of(const model& m) {
    if (m.ready.size != 0) return m.ready.at[0].task;
    return m.timers.size != 0 && m.timers.at[0].left == 0 ? m.timers.at[0].task : -1;
  }

  /// True if the head can begin the operation: a server has one client at a time. A case begins
  /// nothing.
  bool can_run(const move& m) const {
    const model& e = live_.expected;
    const int head = head_of(e);
    if (head < 0) return false;
    if (e.ready.size != 0 && e.ready.at[0].is_case) return m.begins == order::yield;
    const bool serves = m.of[0].what == order::serve || m.of[1].what == order::serve;
    return !serves || e.tasks[head].client == none;
  }

  void make_in_core(const move& m) {
    if (m.what == act::run) {
      static_cast<void>(scheduler::run_one());
    } else if (m.what == act::tick) {
      sim::advance(1);
    } else if (m.what > act::make_anew) {
      on_task(m.what, m.at);
    } else if (m.at == the_endpoint) {
      on_primitive(m.what, live_.of().e);
    } else if (m.at == 0) {
      on_channel(m.what, live_.of().a);
    } else {
      on_channel(m.what, live_.of().b);
    }
  }

  template <typename Channel>
  void on_channel(act what, Channel& c) {
    if (what == act::try_send) outcome_.given = static_cast<uint8_t>(c.try_send(outcome_.sent[0]));
    if (what == act::try_receive) outcome_.given = static_cast<uint8_t>(c.try_receive(outcome_.value));
    if (what >= act::close) on_primitive(what, c);
  }

  template <typename Primitive>
  static void on_primitive(act what, Primitive& p) {
    if (what == act::close) return p.close();
    p.~Primitive();
    new (&p) Primitive;
  }

  void on_task(act what, uint8_t t) {
    typename Kinds::actor_type& a = live_.task(t);
    switch (what) {
      case act::start:
        return a.start();
      case act::cancel:
        outcome_.given = a.cancel();
        return;
      case act::suspend:
        return a.suspend();
      case act::resume:
        return a.resume();
      case act::restart:
        a.restart();
        return a.forget();
      case act::destroy:
        a.~actor();
        return live_.construct_task(t);
      case act::reply:
        outcome_.given = static_cast<uint8_t>(live_.of().e.reply(a.current, outcome_.sent[0]));
        return;
      default:
        return a.current.abandon();
    }
  }

  bounds bounds_;
  std::vector<move> moves_;
  state live_;
  outcome outcome_;
};

}  // namespace waits
}  // namespace test
}  // namespace baton
