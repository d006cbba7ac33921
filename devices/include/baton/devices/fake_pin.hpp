// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/platform.hpp>
#include <baton/devices/pin.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A pin without hardware, for tests of device code: the test drives its level, and finds what the
/// code has written, with the times.
///
/// Shape    static state for each `Number`; the last `records` writes are kept.
/// Context  `drive()` and `release()` act as the outside world does, at any moment: in a virtual
///          interrupt (`sim::script`), in a job, between runs.
template <uint8_t Number>
struct fake_pin {
  static constexpr uint8_t records = 16;

  /// A write of the code under test.
  struct record {
    tick at;
    bool level;
  };

  static void configure(pin_mode mode) {
    state& s = the();
    s.mode = mode;
    s.output = mode == pin_mode::output_high;
    settle();
  }
  static bool read() { return the().level; }
  static void write(bool level) {
    state& s = the();
    s.writes[s.written++ % records] = record{port::now(), level};
    s.output = level;
    settle();
  }
  static void listen(isr_signal* signal) { the().listener = signal; }

  /// Puts a level on the pin from outside. An output keeps its own level.
  static void drive(bool level) {
    the().driven = level;
    the().is_driven = true;
    settle();
  }

  /// Leaves the pin alone: an input has the level of its pull-up, or low without one.
  static void release() {
    the().is_driven = false;
    settle();
  }

  static pin_mode mode() { return the().mode; }

  /// The number of writes since the last `reset()`.
  static uint32_t written() { return the().written; }

  /// The write of this number, counted from 0; one of the last `records`.
  static const record& write_of(uint32_t number) { return the().writes[number % records]; }

  /// Goes back to the state at the start of the program.
  static void reset() { the() = state(); }

 private:
  struct state {
    isr_signal* listener = nullptr;
    uint32_t written = 0;
    record writes[records] = {};
    pin_mode mode = pin_mode::input;
    bool output = false, driven = false, is_driven = false, level = false;
  };

  static state& the() {
    static state s;
    return s;
  }

  static void settle() {
    state& s = the();
    const bool outside = s.is_driven ? s.driven : s.mode == pin_mode::input_pullup;
    const bool level = is_output(s.mode) ? s.output : outside;
    if (level == s.level) return;
    s.level = level;
    if (s.listener) s.listener->set();
  }
};

}  // namespace devices
}  // namespace baton
