// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A change of a button: pressed, held for long, released.
enum class button_event : uint8_t { pressed, held, released };

/// The times of a `button`, in milliseconds.
struct button_times {
  static constexpr uint16_t quiet_ms = 10;  // without an edge, before a level counts
  static constexpr uint16_t held_ms = 800;  // from the press to `held`
};

/// A button between a pin and ground, without its bounces: each press is `pressed`, `held` if it
/// lasts that long, and `released`, in a channel.
///
/// Shape    a coroutine of its own, and the signal of its pin. A press counts once the pin has had
///          no edge for `quiet_ms`, and so does a release; a level that does not last is no event.
/// Context  a coroutine of the domain. It waits for the pin's interrupt and polls nothing; while a
///          contact bounces it runs once in `quiet_ms`, however many edges there are. An event that
///          finds the channel full is dropped and counted.
/// Cost     bench/suites/memory/button.cpp.
template <typename Pin, uint8_t Capacity = 4, typename Times = button_times>
struct button : coroutine<button<Pin, Capacity, Times>, deadline> {
  static_assert(is_pin<Pin>(), "");

  explicit button(channel<button_event, Capacity>& events) : events_(events) {}

  point step(point at) {
    BATON_BEGIN();
    Pin::configure(pin_mode::input_pullup);
    Pin::listen(&changed_);
    changed_.set();  // a button that is down at the start is pressed then
    for (;;) {
      if (is_down_ && !is_held_) {
        BATON_WAIT_UNTIL(down_since_ + milliseconds(Times::held_ms), changed_.wait());
        if (this->result() == status::timed_out) {
          is_held_ = true;
          tell(button_event::held);
          continue;
        }
      } else {
        BATON_WAIT(changed_.wait());
      }
      do {
        BATON_DELAY_MS(Times::quiet_ms);
      } while (changed_.try_take());
      if (Pin::read() != is_down_) continue;  // a low level is down: it is as before
      is_down_ = !is_down_;
      is_held_ = false;
      down_since_ = port::now();
      tell(is_down_ ? button_event::pressed : button_event::released);
    }
    BATON_END();
  }

  bool is_down() const { return is_down_; }

  /// The number of events that found the channel full, at most 255.
  uint8_t dropped() const { return dropped_; }

 private:
  void tell(button_event event) {
    if (events_.try_send(event) != status::ok && dropped_ != UINT8_MAX) ++dropped_;
  }

  channel<button_event, Capacity>& events_;
  isr_signal changed_;
  tick down_since_ = 0;
  bool is_down_ = false;
  bool is_held_ = false;
  uint8_t dropped_ = 0;
};

}  // namespace devices
}  // namespace baton
