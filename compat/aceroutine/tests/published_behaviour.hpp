// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include <vector>

// A model of AceRoutine 1.5.1 as its documents describe it, for programs of random steps. It shares
// no code with the headers under test: a coroutine is a state, a visit is a transition.

namespace published {

/// A step of a program's body.
enum class op : uint8_t {
  yield,
  delay_millis,  // of `number` units
  delay_micros,
  delay_seconds,
  delay_by_hand,   // setDelayMillis, setDelaying, and COROUTINE_YIELD_INTERNAL while it is not over
  await_tries,     // a condition that counts its tries and is true at the `number`th
  await_suspends,  // the same; the first try suspends the coroutine itself
  write_local,     // COROUTINE_CHANNEL_WRITE of a local variable to channel `number`
  write_effect,    // of an expression that counts
  read,            // COROUTINE_CHANNEL_READ
  offer_by_call,   // setValue(next value), then write()
  write_by_call,   // write(next value)
  read_by_call,
  return_early,  // unless the program has passed there `number` times
  suspend,       // of coroutine `number`
  resume,
  reset,
  tell_status,  // the name of the status of coroutine `number`
  end,
  count,  // also the yield behind the last step of a body that loops
};

struct step {
  op what;
  uint16_t number;
};

using body = std::vector<step>;

constexpr unsigned coroutines = 5;
constexpr unsigned channels = 3;

/// True for a coroutine whose body is in COROUTINE_LOOP().
constexpr bool loops(unsigned coroutine) {
  return coroutine % 2 == 0;
}

enum status : uint8_t { suspended, yielding, delaying, running, ending, terminated };

/// The events of a run, in numbers.
using trace = std::vector<uint32_t>;

struct clocks {
  uint32_t millis, micros, seconds;
};

/// A channel: the offered value, the value on its way, and the turn.
struct channel_model {
  enum turn : uint8_t { writers, readers, on_its_way, taken };

  bool write(int value) {
    if (at == readers) {
      moving = value;
      at = on_its_way;
      return false;
    }
    if (at != taken) return false;
    at = writers;
    return true;
  }
  bool read(int& to) {
    if (at == writers) at = readers;
    if (at != on_its_way) return false;
    to = moving;
    at = taken;
    return true;
  }

  int offered = 0;
  int moving = 0;
  turn at = writers;
};

struct coroutine_model {
  bool has_begun = false;  // it has waited, and goes on there
  unsigned at = 0;
  step wait{op::count, 0};  // the last, at which it goes on, even if it returned elsewhere meanwhile
  status now = yielding;
  uint16_t start = 0, duration = 0;
  uint16_t tries = 0, passed = 0;
  int got = 0;
};

/// A program under the model's scheduler: the coroutine with the highest number is the newest.
class model {
 public:
  model(const std::vector<body>& bodies, trace& to) : bodies_(bodies), to_(to) {}

  clocks time{};

  /// One CoroutineScheduler::loop().
  void loop() {
    coroutine_model& c = all_[current_];
    unsigned self = current_;
    if (c.now == yielding || c.now == delaying) {
      visit(self);
    } else if (c.now == ending) {
      c.now = terminated;
    }
    current_ = self ? self - 1 : coroutines - 1;
  }

  status status_of(unsigned n) const { return all_[n].now; }

 private:
  void visit(unsigned self) {
    coroutine_model& c = all_[self];
    const body& steps = bodies_[self];
    if (!c.has_begun) {
      c.at = 0;
    } else {
      if (!is_over(c)) return;
      c.now = running;
      c.at = c.wait.what == op::count ? 0 : c.at + 1;
    }
    for (; c.at < steps.size(); ++c.at) {
      if (!passes(c, steps[c.at])) return;
    }
    c.wait = {loops(self) ? op::count : op::end, 0};
    waits(c, loops(self) ? yielding : ending);
  }

  /// Does a step. false: the body has returned.
  bool passes(coroutine_model& c, const step& s) {
    if (s.what <= op::read || s.what == op::end) c.wait = s;
    switch (s.what) {
      case op::yield:
      case op::read:
        return waits(c, yielding);
      case op::delay_millis:
      case op::delay_by_hand:
        return delays(c, time.millis, s.number);
      case op::delay_micros:
        return delays(c, time.micros, s.number);
      case op::delay_seconds:
        return delays(c, time.seconds, s.number);
      case op::await_tries:
      case op::await_suspends:
        c.tries = 0;
        return waits(c, yielding);
      case op::write_local:
      case op::write_effect:
        ways_[s.number].offered = ++produced_;
        return waits(c, yielding);
      case op::offer_by_call:
        ways_[s.number].offered = ++produced_;
        to_.push_back(ways_[s.number].write(ways_[s.number].offered));
        return true;
      case op::write_by_call:
        to_.push_back(ways_[s.number].write(++produced_));
        return true;
      case op::read_by_call:
        to_.push_back(ways_[s.number].read(c.got));
        to_.push_back(static_cast<uint32_t>(c.got));
        return true;
      case op::return_early:
        return ++c.passed % (s.number + 1) == 0;
      case op::suspend:
        if (all_[s.number].now < ending) all_[s.number].now = suspended;
        return true;
      case op::resume:
        if (all_[s.number].now == suspended) all_[s.number].now = yielding;
        return true;
      case op::reset:
        all_[s.number].now = yielding;
        all_[s.number].has_begun = false;
        return true;
      case op::tell_status:
        tell(all_[s.number].now);
        return true;
      default:
        return waits(c, ending);
    }
  }

  static bool waits(coroutine_model& c, status now) {
    c.now = now;
    c.has_begun = true;
    return false;
  }
  static bool delays(coroutine_model& c, uint32_t now, uint16_t units) {
    c.start = static_cast<uint16_t>(now);
    c.duration = units > 32767 ? 32767 : units;
    return waits(c, delaying);
  }

  /// True if the last wait has come to its end.
  bool is_over(coroutine_model& c) {
    const step& s = c.wait;
    switch (s.what) {
      case op::delay_millis:
      case op::delay_by_hand:
        return static_cast<uint16_t>(time.millis - c.start) >= c.duration;
      case op::delay_micros:
        return static_cast<uint16_t>(time.micros - c.start) >= c.duration;
      case op::delay_seconds:
        return static_cast<uint16_t>(time.seconds - c.start) >= c.duration;
      case op::await_suspends:
        if (!c.tries && c.now < ending) c.now = suspended;
        return ++c.tries > s.number;
      case op::await_tries:
        return ++c.tries > s.number;
      case op::write_local:
      case op::write_effect:
        return ways_[s.number].write(ways_[s.number].offered);
      case op::read: {
        bool has_come = ways_[s.number].read(c.got);
        if (has_come) to_.push_back(static_cast<uint32_t>(c.got));
        return has_come;
      }
      case op::end:
        return false;
      default:
        return true;
    }
  }

  void tell(status s) {
    static const char* const names[] = {"Suspended", "Yielding", "Delaying", "Running", "Ending", "Terminated"};
    for (const char* p = names[s]; *p; ++p) to_.push_back(static_cast<uint8_t>(*p));
  }

  const std::vector<body>& bodies_;
  trace& to_;
  coroutine_model all_[coroutines];
  channel_model ways_[channels];
  int produced_ = 0;
  unsigned current_ = coroutines - 1;
};

}  // namespace published
