// SPDX-License-Identifier: MIT
//
// Waters a plant. A probe in the soil is powered only while it is read. When the soil is dry and
// the hour allows it, the pump runs in doses, with a pause after each dose for the water to spread.
// Five things stop the pump: the end of the dose, wet soil, an empty tank, the limit of the day,
// and the command `stop`. The settings are kept in the EEPROM. The serial port takes commands: try
// `help`.
#include <Baton.h>
#include <avr/eeprom.h>

#include "settings.h"

const uint8_t probe_pin = A0, probe_power_pin = 7, pump_pin = 8, tank_pin = 2, green_pin = 13, red_pin = 12;

settings set = defaults;
int16_t bench_soil = -1;    // a reading that the command `soil` puts in the place of the probe's
uint16_t soil = 0;          // the last reading; more is wetter
uint32_t time_of_day = 0;   // in seconds
uint16_t pumped_today = 0;  // in tenths of a second

enum class alarm : uint8_t { none, silent_probe, broken_probe, empty_tank, limit, no_effect };
alarm raised = alarm::none;

enum class order : uint8_t { water, stop, look_at_tank };
enum class light : uint8_t { off, slow, fast, on };

baton::channel<order, 2> orders;       // from the command line to the gardener
baton::channel<uint16_t, 1> readings;  // from the probe to the gardener
baton::channel<light, 1> green_light, red_light;
baton::signal read_now;
baton::isr_signal tank_changed;

bool tank_is_empty() {
  return digitalRead(tank_pin) == LOW;
}
void on_tank() {
  tank_changed.set();
}

void stamp() {
  const uint16_t minutes = time_of_day / 60;
  const uint8_t parts[] = {uint8_t(minutes / 60), uint8_t(minutes % 60), uint8_t(time_of_day % 60)};
  for (uint8_t i = 0; i < 3; ++i) {
    if (parts[i] < 10) Serial.print('0');
    Serial.print(parts[i]);
    Serial.print(i < 2 ? ':' : ' ');
  }
}

void event(const __FlashStringHelper* text) {
  stamp();
  Serial.println(text);
}

const __FlashStringHelper* text_of(alarm which) {
  switch (which) {
    case alarm::silent_probe:
      return F("probe is silent");
    case alarm::broken_probe:
      return F("probe is broken");
    case alarm::empty_tank:
      return F("tank is empty");
    case alarm::limit:
      return F("limit of the day");
    case alarm::no_effect:
      return F("no effect after three doses");
    default:
      return F("no alarm");
  }
}

void event(const __FlashStringHelper* text, uint16_t number) {
  stamp();
  Serial.print(text);
  Serial.println(number);
}

// Hands a lamp its next pattern; one that the lamp has not seen yet is forgotten.
void show(baton::channel<light, 1>& lamp, light mode) {
  light older = mode;
  while (lamp.try_send(mode) == baton::status::full) {
    if (lamp.try_receive(older) != baton::status::ok) return;
  }
}

void raise(alarm why) {
  if (raised == why) return;
  raised = why;
  event(text_of(why));
  show(red_light, light::on);
}

void clear() {
  raised = alarm::none;
  event(F("alarm is over"));
  show(red_light, light::off);
}

// The time of day; at midnight the allowance of the pump begins anew.
struct day_clock : baton::coroutine<day_clock, baton::periodic<>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(1000, baton::catch_up::all);
      if (++time_of_day < 86400) continue;
      time_of_day = 0;
      pumped_today = 0;
      if (raised == alarm::limit) clear();
    }
    BATON_END();
  }
};

// Reads the probe: power on, wait for it to settle, the mean of eight readings, power off.
struct probe : baton::coroutine<probe, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      digitalWrite(probe_power_pin, HIGH);
      BATON_DELAY_MS(10);
      for (sum_ = 0, left_ = 8; left_; --left_) {
        sum_ += bench_soil < 0 ? analogRead(probe_pin) : bench_soil;
        BATON_DELAY_MS(2);
      }
      digitalWrite(probe_power_pin, LOW);
      soil = sum_ / 8;
      BATON_WAIT(readings.send(soil));
      BATON_WAIT_FOR(baton::milliseconds(set.every * 100UL), read_now.wait());  // or earlier, for new settings
    }
    BATON_END();
  }

  uint16_t sum_ = 0;
  uint8_t left_ = 0;
};

// Decides, and runs the pump.
struct gardener : baton::coroutine<gardener, baton::selecting<2, baton::deadline>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      // A probe that is silent for long has lost its coroutine or its wire: no water by guesswork.
      BATON_SELECT_FOR(baton::milliseconds(30000), readings.receive(reading_), orders.receive(order_));
      if (result() == baton::status::timed_out) {
        raise(alarm::silent_probe);
        continue;
      }
      if (selected() == 1 && order_ != order::water) {
        if (order_ == order::stop) event(F("nothing to stop"));
        if (tank_is_empty()) raise(alarm::empty_tank);
        continue;
      }
      if (selected() == 0 && !wants_water()) continue;
      if (!may_pump()) continue;

      event(F("pump on, soil "), soil);
      show(green_light, light::fast);
      digitalWrite(pump_pin, HIGH);
      begun_ = millis();
      do {
        left_ms_ = set.dose * 100UL - (millis() - begun_);
        BATON_SELECT_FOR(baton::milliseconds(left_ms_), readings.receive(reading_), orders.receive(order_));
      } while (goes_on());
      digitalWrite(pump_pin, LOW);
      pumped_today += (millis() - begun_) / 100;
      event(F("pump off, tenths "), (millis() - begun_) / 100);
      show(green_light, light::slow);
      count_dose();

      // The water spreads. Readings of that time say nothing, and are taken and dropped.
      begun_ = millis();
      while (millis() - begun_ < set.pause * 100UL) {
        left_ms_ = set.pause * 100UL - (millis() - begun_);
        BATON_WAIT_FOR(baton::milliseconds(left_ms_), readings.receive(reading_));
      }
    }
    BATON_END();
  }

  bool wants_water() {
    if (reading_ < 20 || reading_ > 1000) {
      raise(alarm::broken_probe);
      return false;
    }
    if (reading_ >= set.dry) {
      if (raised == alarm::no_effect || raised == alarm::broken_probe) clear();
      doses_ = 0;
      return false;
    }
    const uint8_t hour = time_of_day / 3600;
    return hour >= set.from && hour < set.to && raised == alarm::none;
  }

  bool may_pump() {
    if (tank_is_empty()) {
      raise(alarm::empty_tank);
    } else if (pumped_today + set.dose > set.daily) {
      raise(alarm::limit);
    } else {
      return true;
    }
    return false;
  }

  bool goes_on() {
    if (result() == baton::status::timed_out) return false;
    if (selected() == 1 && order_ == order::stop) return false;
    return !tank_is_empty() && reading_ < set.wet;
  }

  void count_dose() {
    if (++doses_ == 3) raise(alarm::no_effect);
  }

  order order_ = order::water;
  uint8_t doses_ = 0;
  uint16_t reading_ = 0;
  uint32_t begun_ = 0, left_ms_ = 0;
};

// The float switch of the tank interrupts; an empty tank stops the pump at once.
struct tank : baton::coroutine<tank, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(tank_changed.wait());
      BATON_DELAY_MS(30);  // it bounces, and the water moves
      if (!tank_is_empty()) {
        event(F("tank is filled"));
        if (raised == alarm::empty_tank) clear();
        continue;
      }
      BATON_WAIT(orders.send(look_));
    }
    BATON_END();
  }

  order look_ = order::look_at_tank;
};

// An LED with its pattern.
struct lamp : baton::coroutine<lamp, baton::deadline> {
  lamp(uint8_t pin, baton::channel<light, 1>& wanted, light first) : pin_(pin), mode_(first), wanted_(wanted) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      lit_ = mode_ == light::on || (mode_ != light::off && !lit_);
      digitalWrite(pin_, lit_);
      if (mode_ == light::slow || mode_ == light::fast) {
        BATON_WAIT_FOR(baton::milliseconds(mode_ == light::fast ? 100 : 900), wanted_.receive(mode_));
      } else {
        BATON_WAIT(wanted_.receive(mode_));
      }
    }
    BATON_END();
  }

  uint8_t pin_;
  bool lit_ = false;
  light mode_;
  baton::channel<light, 1>& wanted_;
};

// The command line.
struct console : baton::coroutine<console, baton::timed_waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_AWAIT(Serial.available());
      letter_ = Serial.read();
      if (letter_ != '\n' && length_ < sizeof line_ - 1) line_[length_++] = letter_;
      if (letter_ != '\n') continue;
      line_[length_] = 0;
      length_ = 0;
      if (!strcmp_P(line_, PSTR("water")) || !strcmp_P(line_, PSTR("stop"))) {
        order_ = line_[0] == 'w' ? order::water : order::stop;
        BATON_WAIT(orders.send(order_));
      } else if (!obey()) {
        Serial.print(F("? "));
        Serial.print(line_);
        Serial.println(F("; try help"));
      }
    }
    BATON_END();
  }

  bool obey() {
    const char* const rest = strchr(line_, ' ') ? strchr(line_, ' ') + 1 : "";
    if (!strcmp_P(line_, PSTR("help"))) {
      Serial.println(F("help, show, water, stop, save, load, time HH:MM:SS, soil N, set NAME N"));
    } else if (!strcmp_P(line_, PSTR("show"))) {
      show();
    } else if (!strcmp_P(line_, PSTR("save"))) {
      save(set);
      event(F("saved"));
    } else if (!strcmp_P(line_, PSTR("load"))) {
      event(load(set) ? F("loaded") : F("nothing is saved"));
    } else if (!strncmp_P(line_, PSTR("time "), 5) && strlen(rest) == 8) {
      time_of_day = atoi(rest) * 3600UL + atoi(rest + 3) * 60U + atoi(rest + 6);
      event(F("time is set"));
    } else if (!strncmp_P(line_, PSTR("soil "), 5)) {
      bench_soil = atoi(rest);
      read_now.set();
    } else if (!strncmp_P(line_, PSTR("set "), 4)) {
      if (!change(set, rest)) return false;
      read_now.set();
    } else {
      return false;
    }
    return true;
  }

  static void show() {
    stamp();
    Serial.print(F("soil "));
    Serial.print(soil);
    Serial.print(F(" pumped "));
    Serial.print(pumped_today);
    Serial.print('/');
    Serial.println(set.daily);
    print(set);
    event(text_of(raised));
  }

  char letter_ = 0, line_[32];
  uint8_t length_ = 0;
  order order_ = order::stop;
};

day_clock the_clock;
probe the_probe;
gardener the_gardener;
tank the_tank;
lamp green{green_pin, green_light, light::slow}, red{red_pin, red_light, light::off};
console the_console;

void setup() {
  Serial.begin(115200);
  pinMode(probe_power_pin, OUTPUT);
  pinMode(pump_pin, OUTPUT);
  pinMode(green_pin, OUTPUT);
  pinMode(red_pin, OUTPUT);
  pinMode(tank_pin, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(tank_pin), on_tank, CHANGE);
  if (!load(set)) event(F("defaults"));
  the_clock.start();
  the_probe.start();
  the_gardener.start();
  the_tank.start();
  green.start();
  red.start();
  the_console.start();
}

void loop() {
  baton::scheduler::run();
}
