// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/adc.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A channel without hardware, for tests of device code: the test supplies the readings, and says
/// when a conversion ends.
///
/// Shape    static state for each `Number`; a converter of its own for each.
/// Context  `supply()`, `hold()` and `finish()` act as the outside world does, at any moment.
template <uint8_t Number>
struct fake_adc {
  static constexpr uint16_t full_scale = 1023;

  static status start() {
    state& s = the();
    if (s.is_busy) return status::full;
    ++s.started;
    s.is_busy = true;
    if (!s.holds) finish();
    return status::ok;
  }
  static bool ready() { return the().started && !the().is_busy; }
  static uint16_t read() { return the().result; }
  static void listen(isr_signal* signal) { the().listener = signal; }

  /// The reading of the conversions that end from now on; `full_scale` if it is greater.
  static void supply(uint16_t reading) { the().supplied = reading < full_scale ? reading : full_scale; }

  /// Lets conversions wait for `finish()`; by default each ends within `start()`.
  static void hold(bool holds) { the().holds = holds; }

  /// Ends the conversion under way, if there is one.
  static void finish() {
    state& s = the();
    if (!s.is_busy) return;
    s.is_busy = false;
    s.result = s.supplied;
    if (s.listener) s.listener->set();
  }

  /// The number of conversions since the last `reset()`.
  static uint32_t started() { return the().started; }

  /// Goes back to the state at the start of the program.
  static void reset() { the() = state(); }

 private:
  struct state {
    isr_signal* listener = nullptr;
    uint32_t started = 0;
    uint16_t supplied = 0, result = 0;
    bool is_busy = false, holds = false;
  };

  static state& the() {
    static state s;
    return s;
  }
};

template <uint8_t Number>
constexpr uint16_t fake_adc<Number>::full_scale;

}  // namespace devices
}  // namespace baton
