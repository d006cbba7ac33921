// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/duration.hpp>
#include <baton/sim/clock.hpp>
#include <stddef.h>

namespace baton {
namespace sim {

/// A moment of a script: so long `after` the one before, or after the start of the script.
template <typename Value>
struct moment {
  duration after;
  Value value;
};

/// A list of values that come from outside at their moments, as virtual interrupts: edges of a pin,
/// readings, received bytes. `Receive` gets each.
///
///     sim::script<bool, devices::fake_pin<0>::drive> bounces;
///     const sim::moment<bool> edges[] = {{1_ms, false}, {20_us, true}, {15_us, false}};
///     bounces.play(edges);
///
/// Context  between runs, or in a job. The moments and the script must live until the last one has
///          come; one script of a kind plays at a time.
template <typename Value, void (*Receive)(Value)>
class script {
 public:
  template <size_t Count>
  void play(const moment<Value> (&moments)[Count]) {
    playing() = this;
    at_ = moments;
    end_ = moments + Count;
    interrupt_.handler = on_moment;
    at(clock::get().now + at_->after, interrupt_);
  }

  bool is_over() const { return at_ == end_; }

 private:
  static script*& playing() {
    static script* s;
    return s;
  }

  static void on_moment() {
    script& s = *playing();
    const Value value = s.at_->value;
    if (++s.at_ != s.end_) at(s.interrupt_.at + s.at_->after, s.interrupt_);
    Receive(value);
  }

  static void at(tick due, interrupt& i) { sim::at(due, i); }

  const moment<Value>* at_ = nullptr;
  const moment<Value>* end_ = nullptr;
  interrupt interrupt_ = {};
};

}  // namespace sim
}  // namespace baton
