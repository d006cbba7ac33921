// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/end_reports.hpp>

namespace baton {
namespace kernel {

/// The ends of a task after which its supervisor restarts it.
enum class restart_when : uint8_t {
  always,      ///< any
  on_failure,  ///< it has failed or was killed, for example because it sent no heartbeat
  never,
};

/// The tasks that a supervisor restarts when one of them has ended.
enum class restart_scope : uint8_t {
  one,  ///< that task
  all,  ///< all of its tasks, because they hold parts of one state: it ends the others first
};

/// The speed of restarts, and their number: more than `most` within `period` are too many.
///
/// Units    the first restart of a task comes after `first_delay`, each further one after twice as
///          much up to `longest_delay`, and after `first_delay` again when the task has lived for a
///          `period`.
struct restart_limits {
  uint8_t most = 5;
  duration period = milliseconds(10000);
  duration first_delay = milliseconds(10);
  duration longest_delay = milliseconds(1000);
};

namespace detail {

/// A task of a supervisor.
struct supervised {
  enum class phase : uint8_t { over, runs, waits };

  task_description task;
  restart_when when;
  phase now;
  duration heartbeat;  // zero: none is expected
  duration delay;      // before its last restart
  tid id;
  tick since;  // it was made
  tick due;    // the next heartbeat, or the restart
};

/// A supervisor, of any size.
class supervisor_core {
 public:
  enum : uint8_t { no_place = 0xff };

  supervisor_core(supervised* places, uint8_t size, restart_scope scope, restart_limits limits)
      : places_(places), size_(size), scope_(scope), limits_(limits) {}
  supervisor_core(const supervisor_core&) = delete;
  supervisor_core& operator=(const supervisor_core&) = delete;

  /// Adds a task, which `run` makes. Returns its place; `no_place`: there is none left, and `run`
  /// gives up at once.
  ///
  /// Units    with a `heartbeat`, the task calls `send_heartbeat` at least once in each such
  ///          time, or is ended.
  uint8_t add(const task_description& task, restart_when when, duration heartbeat = duration()) {
    if (used_ == size_) {
      give_up(error::table_full);
      return no_place;
    }
    places_[used_] = supervised{task, when, supervised::phase::over, heartbeat, duration(), no_task, 0, 0};
    return used_++;
  }

  /// Calls a function with the report of each end of one of its tasks, before it restarts it:
  /// to print it, or to keep it over a reset.
  void on_end(void (*listener)(const end_report&)) { listener_ = listener; }

  /// Feeds a watchdog of the machine at least once in each `period`, as long as it supervises: not
  /// after it has given up, and not while a more urgent task does not let it run.
  void feed_watchdog(void (*feed)(), duration period) {
    feed_ = feed;
    feed_period_ = period;
  }

  /// The id of the task at this place; no_task while it has none.
  tid id_of(uint8_t place) const {
    return place < used_ && places_[place].now == supervised::phase::runs ? places_[place].id : no_task;
  }

  /// The error of the last task that could not be made; none. bad_call: the kernel has no
  /// `end_reports`; table_full: more tasks were added than there are places.
  error why() const { return why_; }

  /// Makes the tasks, and restarts them as they end. Returns true when none is left to supervise.
  /// false: there were too many restarts, and it has given up; all of its tasks have ended.
  ///
  /// Context  the task that is the supervisor. It is more urgent than its tasks. When it gives up,
  ///          it ends by `kill(my_tid())`, so that its own supervisor hears of a failure.
  bool run() {
    hear_of_ends();
    for (uint8_t place = 0; place != used_ && !has_given_up_; ++place) make(places_[place], now());
    while (supervise()) {
      if (feed_) feed_();
      const tick left = ticks_left(now());
      if (left == 0) continue;
      const notifications told = wait_notification(signs() | ended_notification, baton::spi::limit_of_ticks(left));
      if (told) note_signs(told.bits, now());
      is_told_ = (told.bits & ended_notification) != 0;
    }
    end_all();
    return !has_given_up_;
  }

 private:
  using phase = supervised::phase;

  word signs() const { return (static_cast<word>(1) << used_) - 1; }

  bool is_any_left() const {
    for (uint8_t place = 0; place != used_; ++place) {
      if (places_[place].now != phase::over) return true;
    }
    return false;
  }

  void make(supervised& s, tick at) {
    const created made = create(s.task);
    s.id = made.id;
    s.since = at;
    s.now = phase::runs;
    s.due = at + s.heartbeat.ticks();
    if (made) return;
    why_ = made.result.why();
    plan_restart(s, at);
  }

  void hear_of_ends() {
    end_report r;
    ipc_result taken;
    while ((taken = take_end_report(r))) {
      for (uint8_t place = 0; place != used_; ++place) {
        if (places_[place].now == phase::runs && places_[place].id == r.id) hear_of_end(places_[place], r);
      }
    }
    if (taken.why() == error::bad_call) give_up(error::bad_call);
  }

  /// Hears of the ends whose reports were lost. How such a task ended is not known, so it counts as
  /// killed.
  void hear_of_lost_ends() {
    for (uint8_t place = 0; place != used_; ++place) {
      supervised& s = places_[place];
      if (s.now != phase::runs || notify(s.id, 0)) continue;
      end_report r = {};
      r.id = s.id;
      r.name = s.task.name;
      r.how = ending::killed;
      hear_of_end(s, r);
    }
  }

  void give_up(error why) {
    why_ = why;
    has_given_up_ = true;
  }

  void hear_of_end(supervised& s, const end_report& r) {
    s.now = phase::over;
    if (listener_) listener_(r);
    if (s.when == restart_when::always || (s.when == restart_when::on_failure && r.how != ending::exited))
      plan_restart(s, now());
  }

  void plan_restart(supervised& s, tick at) {
    if (count_restart(at)) return;
    s.delay = delay_of(s);
    wait_for_restart(s, at + s.delay.ticks());
    if (scope_ != restart_scope::all) return;
    for (uint8_t place = 0; place != used_; ++place) {
      supervised& other = places_[place];
      if (other.now != phase::runs) continue;
      wait_for_restart(other, s.due);
      kill(other.id);
    }
  }

  static void wait_for_restart(supervised& s, tick due) {
    s.now = phase::waits;
    s.due = due;
  }

  /// Counts a restart. true: it is one too many.
  bool count_restart(tick at) {
    if (restarts_ == 0) first_restart_ = at;
    return has_given_up_ = ++restarts_ > limits_.most;
  }

  /// Forgets the restarts of a period that is over. It is called more often than ticks wrap.
  void forget_restarts(tick at) {
    if (at - first_restart_ > limits_.period.ticks()) restarts_ = 0;
    for (uint8_t place = 0; place != used_; ++place) {
      supervised& s = places_[place];
      if (s.now == phase::runs && at - s.since > limits_.period.ticks()) s.delay = duration();
    }
  }

  duration delay_of(const supervised& s) const {
    if (s.delay == duration()) return limits_.first_delay;
    const tick twice = 2 * s.delay.ticks();
    return twice < limits_.longest_delay.ticks() ? ticks(twice) : limits_.longest_delay;
  }

  /// Hears of what has ended, and does what is due. false: there is nothing left to supervise, or
  /// it has given up.
  bool supervise() {
    const tick at = now();
    forget_restarts(at);
    hear_of_ends();
    if (is_told_) hear_of_lost_ends();
    is_told_ = false;
    for (uint8_t place = 0; place != used_ && !has_given_up_; ++place) {
      if (has_due(places_[place]) && is_past(places_[place], at)) do_what_is_due(places_[place], at);
    }
    return !has_given_up_ && is_any_left();
  }

  static bool is_past(const supervised& s, tick at) { return static_cast<tick_difference>(at - s.due) >= 0; }

  /// The time until something is due.
  tick ticks_left(tick at) const {
    tick left = feed_ ? feed_period_.ticks() / 2 + 1 : longest_timeout;
    for (uint8_t place = 0; place != used_; ++place) {
      const supervised& s = places_[place];
      if (!has_due(s)) continue;
      if (is_past(s, at)) return 0;
      if (s.due - at < left) left = s.due - at;
    }
    return left;
  }

  static bool has_due(const supervised& s) {
    return s.now == phase::waits || (s.now == phase::runs && s.heartbeat != duration());
  }

  void do_what_is_due(supervised& s, tick at) {
    if (s.now == phase::waits) return make(s, at);
    kill(s.id);  // its report comes as any other
  }

  void note_signs(word bits, tick at) {
    for (uint8_t place = 0; place != used_; ++place) {
      supervised& s = places_[place];
      if ((bits >> place & 1) && s.now == phase::runs) s.due = at + s.heartbeat.ticks();
    }
  }

  void end_all() {
    for (uint8_t place = used_; place != 0; --place) {
      supervised& s = places_[place - 1];
      if (s.now == phase::runs) kill(s.id);
      s.now = phase::over;
    }
  }

  supervised* const places_;
  const uint8_t size_;
  uint8_t used_ = 0;
  const restart_scope scope_;
  uint8_t restarts_ = 0;  // since `first_restart_`
  bool has_given_up_ = false;
  bool is_told_ = false;  // of an end, since it has looked
  error why_ = error::none;
  const restart_limits limits_;
  tick first_restart_ = 0;
  void (*listener_)(const end_report&) = nullptr;
  void (*feed_)() = nullptr;
  duration feed_period_ = duration();
};

}  // namespace detail

}  // namespace kernel
}  // namespace baton
