// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices.hpp>
#include <stdint.h>

// The logic of a lamp: no board, no register and no clock. main.cpp puts it over a board's devices,
// and test/on_fakes.cpp over fakes.

using baton::devices::button_event;

/// A lamp that says what it does. `Led` has `set(bool)`, and `Console` has `put(char)`.
template <typename Led, typename Console>
struct lamp {
  void set(bool on) {
    is_on = on;
    Led::set(on);
    say(on ? "lamp on" : "lamp off");
  }
  void say(const char* text) {
    Console console;
    baton::print_line(console, text);
  }
  bool is_on = false;
};

/// Each press changes the lamp, and a long press switches it off.
template <typename Pin, typename Lamp>
struct lamp_button : baton::coroutine<lamp_button<Pin, Lamp>, baton::waiting> {
  explicit lamp_button(Lamp& the_lamp) : lamp_(the_lamp), button_(events_) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    button_.start();
    for (;;) {
      BATON_WAIT(events_.receive(event_));
      if (event_ == button_event::pressed) lamp_.set(!lamp_.is_on);
      if (event_ == button_event::held) lamp_.set(false);
    }
    BATON_END();
  }

 private:
  Lamp& lamp_;
  baton::channel<button_event, 4> events_;
  baton::devices::button<Pin> button_;
  button_event event_ = button_event::pressed;
};

/// A command line: `on`, `off` and `?`.
template <typename Uart, typename Lamp>
struct lamp_commands : baton::devices::line_reader<lamp_commands<Uart, Lamp>, Uart, 16> {
  explicit lamp_commands(Lamp& the_lamp) : lamp_(the_lamp) {}

  void on_line(const char* text, uint8_t) {
    if (is(text, "on") || is(text, "off")) {
      lamp_.set(is(text, "on"));
    } else if (is(text, "?")) {
      lamp_.say(lamp_.is_on ? "it is on" : "it is off");
    } else {
      lamp_.say("on, off or ?");
    }
  }

 private:
  static bool is(const char* text, const char* command) {
    for (; *text == *command; ++text, ++command) {
      if (!*text) return true;
    }
    return false;
  }

  Lamp& lamp_;
};
