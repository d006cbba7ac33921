// SPDX-License-Identifier: MIT
//
// The oven: its pins, its sensor or a model of both, the profiles, and the arithmetic of control.
#pragma once
#include <Arduino.h>

const bool demo = true;  // nothing is connected; a small oven is calculated
const uint8_t heater_pin = 9, sensor_select = 10, sensor_data = 12, sensor_clock = 13;
const uint16_t sample_ms = demo ? 50 : 250, window_ms = demo ? 100 : 1000, log_ms = demo ? 250 : 1000;
const uint8_t no_heat_s = demo ? 1 : 30;
const int16_t open_circuit = -1, hottest = 270 * 4;

struct phase_data {
  int16_t target;  // quarters of a degree
  uint8_t rise;    // at most, in quarters of a degree for a sample
  uint8_t hold_s;
};

struct profile_data {
  char name[10];
  phase_data phases[4];
};

// The last entries name the gains of the controller.
const profile_data profiles[] PROGMEM = {
    {"lead-free", {{150 * 4, 2, 60}, {200 * 4, 1, 30}, {245 * 4, 3, 20}, {60 * 4, 4, 1}}},
    {"leaded", {{140 * 4, 2, 60}, {180 * 4, 1, 30}, {215 * 4, 3, 20}, {60 * 4, 4, 1}}},
    {"dry", {{60 * 4, 2, 200}}},
    {"test", {{50 * 4, 20, 1}, {80 * 4, 20, 1}}},
    {"P ", {}},
    {"I ", {}},
    {"D ", {}},
};
const uint8_t profile_count = 4;

inline phase_data phase_of(uint8_t profile, uint8_t phase) {
  phase_data found;
  memcpy_P(&found, &profiles[profile].phases[phase], sizeof found);
  return found;
}

inline uint8_t phases_of(uint8_t profile) {
  uint8_t count = 0;
  while (count < 4 && phase_of(profile, count).hold_s) ++count;
  return count;
}

inline void print_name(uint8_t line) {
  Serial.print(reinterpret_cast<const __FlashStringHelper*>(profiles[line].name));
}

// A PID controller whose result is 0 to 100. The gains are in sixteenths, for a quarter degree.
struct pid {
  uint8_t gains[3] = {24, 2, 40};

  void clear() {
    sum_ = 0;
    last_ = INT16_MIN;
  }

  uint8_t next(int16_t wanted, int16_t measured) {
    const int16_t error = wanted - measured;
    const int16_t speed = last_ == INT16_MIN ? 0 : measured - last_;
    last_ = measured;
    int32_t result = int32_t(error) * gains[0] + sum_ - int32_t(speed) * gains[2];
    if (result < 1600 && result > 0) sum_ += int32_t(error) * gains[1];  // no wind-up at the ends
    return result < 0 ? 0 : result > 1600 ? 100 : result / 16;
  }

 private:
  int32_t sum_ = 0;
  int16_t last_ = INT16_MIN;
};

inline void oven_setup() {
  pinMode(heater_pin, OUTPUT);
  pinMode(sensor_select, OUTPUT);
  pinMode(sensor_clock, OUTPUT);
  pinMode(sensor_data, INPUT);
  digitalWrite(sensor_select, HIGH);
}

// The MAX6675: 16 bits, of which the twelve from bit 3 are the temperature, bit 2 an open circuit.
inline int16_t read_max6675() {
  uint16_t bits = 0;
  digitalWrite(sensor_select, LOW);
  for (uint8_t i = 0; i < 16; ++i) {
    digitalWrite(sensor_clock, HIGH);
    bits = bits << 1 | digitalRead(sensor_data);
    digitalWrite(sensor_clock, LOW);
  }
  digitalWrite(sensor_select, HIGH);
  return bits & 4 ? open_circuit : int16_t(bits >> 3);
}

static bool demo_wire = true;

// An oven of 2.5 degrees for a sample at full power, which loses a part of its heat to the room.
inline int16_t demo_oven(uint8_t duty) {
  static int32_t heat = 24L * 4 * 256;
  const int32_t room = 24L * 4 * 256;
  heat += int32_t(duty) * 26 - (heat - room) / 128;
  return demo_wire ? int16_t(heat / 256) : open_circuit;
}

inline int16_t read_thermocouple(uint8_t duty) {
  return demo ? demo_oven(duty) : read_max6675();
}
