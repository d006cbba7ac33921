// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices/pin.hpp>

namespace baton {
namespace devices {

/// A pin without an interrupt, for providers: while something listens, a job looks at the level
/// each millisecond. `Levels` has `configure(pin_mode)`, `read()` and `write(bool)`.
///
/// Shape    a coroutine, and the listener.
/// Context  the domain that listens. A change at an output sets the signal within `write()`. A
///          pulse between two looks sets nothing.
/// Cost     a timer, and a look at a register a millisecond while something listens.
template <typename Levels>
struct polled_pin {
  static void configure(pin_mode mode) {
    Levels::configure(mode);
    the().is_output = is_output(mode);
    if (the().is_output) the().look();
  }
  static bool read() { return Levels::read(); }
  static void write(bool level) {
    Levels::write(level);
    if (the().is_output) the().look();
  }
  static void listen(isr_signal* signal) {
    looker& l = the();
    const bool was_off = l.listener == nullptr;
    l.last = read();
    l.listener = signal;
    if (signal && was_off) l.restart();
  }

 private:
  struct looker : coroutine<looker, timed> {
    point step(point at) {
      BATON_BEGIN();
      while (listener) {
        look();
        BATON_DELAY_MS(1);
      }
      BATON_END();
    }

    void look() {
      const bool level = Levels::read();
      if (level == last) return;
      last = level;
      if (listener) listener->set();
    }

    isr_signal* listener = nullptr;
    bool last = false;
    bool is_output = false;
  };

  template <typename T>
  struct only {
    static T instance;
  };
  static looker& the() { return only<looker>::instance; }
};

template <typename Levels>
template <typename T>
T polled_pin<Levels>::only<T>::instance;

}  // namespace devices
}  // namespace baton
