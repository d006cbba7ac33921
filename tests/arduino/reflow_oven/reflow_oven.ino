// SPDX-License-Identifier: MIT
//
// The controller of a reflow oven: a thermocouple on a MAX6675, a relay for the heater, three
// buttons and a menu, profiles with ramps, a PID controller, a log, and a guard that switches the
// heater off. The serial port is the screen; its letters u, d and s stand in for the buttons. With
// `demo` a model answers in the place of the oven, nothing is heated, and x pulls and plugs the
// sensor.
#include <Baton.h>

#include "oven.h"

using namespace baton;

enum class key : uint8_t { up, down, select };
enum class wish : uint8_t { start, stop, acknowledge };
enum class fault : uint8_t { none, open_sensor, silent_sensor, too_hot, no_heat };

struct order {
  wish what;
  uint8_t profile;
};

struct state {
  fault why;
  bool runs;
  uint8_t phase;
};

channel<key, 4> keys;
channel<int16_t, 1> temperatures;  // quarters of a degree, from the sensor to the guard
endpoint<order, state> oven;
signal go;            // starts a profile
event_flags changes;  // of what the screen shows
const uint16_t stopped_bit = 1, fault_bit = 2, phase_bit = 4;

int16_t measured = 0, wanted = 0;  // quarters of a degree
uint8_t duty = 0;                  // of the heater, in percent
fault last_fault = fault::none;

// The thermocouple, four times a second. An open one reports nothing.
struct sensor : coroutine<sensor, periodic<timed_waiting>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(sample_ms, catch_up::skip);
      value_ = read_thermocouple(duty);
      BATON_WAIT(temperatures.send(value_));
    }
    BATON_END();
  }

  int16_t value_ = 0;
};

// The heater: the share `duty` of each window.
struct heater : coroutine<heater, timed> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      on_ms_ = uint16_t(window_ms / 100) * duty;
      if (on_ms_) {
        digitalWrite(heater_pin, HIGH);
        BATON_DELAY_MS(on_ms_);
      }
      if (on_ms_ < window_ms) {
        digitalWrite(heater_pin, LOW);
        BATON_DELAY_MS(window_ms - on_ms_);
      }
    }
    BATON_END();
  }

  void off() {
    duty = 0;
    digitalWrite(heater_pin, LOW);
    restart();
  }

  uint16_t on_ms_ = 0;
};
heater the_heater;

// Runs a profile: moves the wanted temperature along the ramp of each phase, and holds it.
struct runner : coroutine<runner, periodic<timed_waiting>> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(go.wait());
      control.clear();
      wanted = measured;
      BATON_PERIOD_START();
      for (phase = 0; phase < phases_of(profile); ++phase) {
        now_ = phase_of(profile, phase);
        changes.set(phase_bit);
        for (held_ = 0; held_ < now_.hold_s * (1000 / sample_ms);) {
          BATON_PERIOD_MS(sample_ms, catch_up::skip);
          if (wanted < now_.target) wanted = min(int16_t(wanted + now_.rise), now_.target);
          if (wanted > now_.target) wanted = max(int16_t(wanted - now_.rise), now_.target);
          if (wanted == now_.target && abs(measured - now_.target) < 20) ++held_;
          duty = control.next(wanted, measured);
        }
      }
      finish();
    }
    BATON_END();
  }

  void finish() {
    runs = false;
    wanted = 0;
    the_heater.off();
    changes.set(stopped_bit);
  }

  pid control;
  phase_data now_ = {};
  uint16_t held_ = 0;
  uint16_t log_lines = 0;
  uint8_t profile = 0, phase = 0;
  bool runs = false;
};
runner the_runner;

void stop_heating() {
  if (!the_runner.runs) return;
  the_runner.restart();  // it waits for the next start
  the_runner.finish();
}

void fail(fault why) {
  if (last_fault != fault::none) return;
  last_fault = why;
  stop_heating();
  changes.set(fault_bit);
}

// The guard sees each temperature. It trusts nobody: not the sensor, the relay or the controller.
struct guard : coroutine<guard, deadline> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(4 * sample_ms), temperatures.receive(value_));
      if (result() == status::timed_out) {
        fail(fault::silent_sensor);
      } else if (value_ == open_circuit) {
        fail(fault::open_sensor);
      } else {
        measured = value_;
        if (measured > hottest) fail(fault::too_hot);
        watch_the_rise();
      }
    }
    BATON_END();
  }

  // The heater has been fully on for a while, and nothing became warmer.
  void watch_the_rise() {
    if (duty < 95 || measured > coldest_ + 12) {
      coldest_ = measured;
      samples_ = 0;
    } else if (++samples_ > no_heat_s * (1000 / sample_ms)) {
      samples_ = 0;
      fail(fault::no_heat);
    }
  }

  int16_t value_ = 0, coldest_ = 0;
  uint16_t samples_ = 0;
};

// The one that starts and stops: it takes orders, and replies with the state that followed.
struct keeper : coroutine<keeper, serving<order, state, waiting>> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(oven.receive(current));
      obey(current.request());
      now_ = {last_fault, the_runner.runs, the_runner.phase};
      oven.reply(current, now_);
    }
    BATON_END();
  }

  static void obey(const order& asked) {
    if (asked.what == wish::stop) stop_heating();
    if (asked.what == wish::acknowledge) last_fault = fault::none;
    if (asked.what != wish::start || last_fault != fault::none || the_runner.runs) return;
    the_runner.profile = asked.profile;
    the_runner.phase = 0;
    the_runner.log_lines = 0;
    the_runner.runs = true;
    go.set();
  }

  state now_ = {};
};

// A button, which repeats while it is held.
struct button : coroutine<button, timed> {
  button(uint8_t pin, key name) : pin_(pin), name_(name) {}

  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_DELAY_MS(5);
      if (digitalRead(pin_)) {
        held_ = 0;
        continue;
      }
      if (held_ < 255) ++held_;
      if ((held_ == 4 || held_ == 120) && keys.try_send(name_) != status::ok) held_ = 0;  // once more, soon
      if (held_ == 120) held_ = 80;                                                       // the next one after 200 ms
    }
    BATON_END();
  }

  uint8_t pin_, held_ = 0;
  key name_;
};

struct letters : coroutine<letters, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_AWAIT(Serial.available());
      letter_ = Serial.read();
      if (demo && letter_ == 'x') demo_wire = !demo_wire;
      if (letter_ != 'u' && letter_ != 'd' && letter_ != 's') continue;
      name_ = letter_ == 'u' ? key::up : letter_ == 'd' ? key::down : key::select;
      BATON_WAIT(keys.send(name_));
    }
    BATON_END();
  }

  char letter_ = 0;
  key name_ = key::up;
};

// The menu: the list of profiles with the gains at its end; a running oven; a fault.
struct menu : coroutine<menu, selecting<2, waiting>> {
  point step(point at) {
    BATON_BEGIN();
    seen_.mask = stopped_bit | fault_bit | phase_bit;
    for (;;) {
      show();
      BATON_SELECT(keys.receive(key_), changes.wait(seen_));
      if (selected() == 1) {
        if (seen_.got & stopped_bit) Serial.println(F("heater off"));
        state_.runs = the_runner.runs;
        state_.why = last_fault;
      } else if (state_.why != fault::none) {
        call_.request = {wish::acknowledge, 0};
        BATON_WAIT(oven.call(call_));
        state_ = call_.reply;
      } else if (state_.runs) {
        if (key_ != key::select) continue;
        call_.request = {wish::stop, 0};
        BATON_WAIT(oven.call(call_));
        state_ = call_.reply;
      } else if (edits_) {
        edit();
      } else if (key_ != key::select) {
        move();
      } else if (line_ < profile_count) {
        call_.request = {wish::start, line_};
        BATON_WAIT(oven.call(call_));
        state_ = call_.reply;
      } else {
        edits_ = true;
      }
    }
    BATON_END();
  }

  void move() {
    const uint8_t lines = profile_count + 3;
    line_ = (line_ + (key_ == key::up ? lines - 1 : 1)) % lines;
  }

  void edit() {
    uint8_t& gain = the_runner.control.gains[line_ - profile_count];
    if (key_ == key::select) edits_ = false;
    if (key_ == key::up && gain < 99) ++gain;
    if (key_ == key::down && gain) --gain;
  }

  // The screen in two bytes, so that nothing is printed twice.
  uint16_t view() const {
    if (state_.why != fault::none) return 0x8000 | uint8_t(state_.why);
    if (state_.runs) return 0x4000 | the_runner.profile << 4 | the_runner.phase;
    const uint8_t gain = line_ < profile_count ? 0 : the_runner.control.gains[line_ - profile_count];
    return edits_ << 13 | line_ << 8 | gain;
  }

  void show() {
    if (shown_ == view()) return;
    shown_ = view();
    if (state_.why != fault::none) {
      Serial.print(F("FAULT "));
      Serial.println(text_of(state_.why));
    } else if (state_.runs) {
      Serial.print(F("run "));
      print_name(the_runner.profile);
      Serial.print(F(" phase "));
      Serial.println(the_runner.phase + 1);
    } else {
      Serial.print(edits_ ? F("* ") : F("> "));
      print_name(line_);
      if (line_ >= profile_count) Serial.print(the_runner.control.gains[line_ - profile_count]);
      Serial.println();
    }
  }

  static const __FlashStringHelper* text_of(fault why) {
    if (why == fault::open_sensor) return F("open sensor");
    if (why == fault::silent_sensor) return F("silent sensor");
    return why == fault::too_hot ? F("too hot") : F("no heat");
  }

  key key_ = key::up;
  flags_wait seen_;
  uint16_t shown_ = 0xffff;
  uint8_t line_ = 0;
  bool edits_ = false;
  state state_ = {};
  endpoint<order, state>::exchange_type call_;
};

// The log of a run, a line each second: seconds, temperature, wanted, duty.
struct logger : coroutine<logger, periodic<>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(log_ms, catch_up::skip);
      if (!the_runner.runs) continue;
      Serial.print(++the_runner.log_lines);
      Serial.print('\t');
      Serial.print(measured / 4);
      Serial.print('\t');
      Serial.print(wanted / 4);
      Serial.print('\t');
      Serial.println(duty);
    }
    BATON_END();
  }
};

sensor the_sensor;
guard the_guard;
keeper the_keeper;
button up{3, key::up}, down{4, key::down}, select_button{5, key::select};
letters the_letters;
menu the_menu;
logger the_logger;

void setup() {
  Serial.begin(115200);
  oven_setup();
  for (uint8_t pin = 3; pin <= 5; ++pin) pinMode(pin, INPUT_PULLUP);
  the_guard.start();  // before all that it guards
  the_sensor.start();
  the_heater.start();
  the_runner.start();
  the_keeper.start();
  up.start();
  down.start();
  select_button.start();
  the_letters.start();
  the_menu.start();
  the_logger.start();
}

void loop() {
  scheduler::run();
}
