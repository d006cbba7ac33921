// SPDX-License-Identifier: MIT
//
// The settings: kept in the EEPROM with a checksum, printed and changed by name.
#pragma once
#include <Arduino.h>
#include <avr/eeprom.h>
#include <stddef.h>

struct settings {
  uint16_t dry, wet;     // readings: water below the first, until the second
  uint16_t every;        // between two readings, in tenths of a second
  uint16_t dose, pause;  // of the pump, in tenths of a second
  uint16_t daily;        // most tenths of a second in a day
  uint16_t from, to;     // the hours in which the pump may run
};

const settings defaults = {350, 600, 600, 50, 3000, 600, 6, 20};

struct field {
  char name[6];
  uint8_t offset;
  uint16_t least, most;
};

const field fields[] PROGMEM = {
    {"dry", offsetof(settings, dry), 20, 1000},    {"wet", offsetof(settings, wet), 20, 1000},
    {"every", offsetof(settings, every), 1, 6000}, {"dose", offsetof(settings, dose), 1, 300},
    {"pause", offsetof(settings, pause), 1, 9000}, {"daily", offsetof(settings, daily), 1, 6000},
    {"from", offsetof(settings, from), 0, 24},     {"to", offsetof(settings, to), 0, 24},
};

inline uint16_t& member(settings& s, uint8_t offset) {
  return *reinterpret_cast<uint16_t*>(reinterpret_cast<uint8_t*>(&s) + offset);
}

inline uint16_t checksum(const settings& s) {
  uint16_t sum = 0xace1;
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&s);
  for (uint8_t i = 0; i < sizeof s; ++i) sum = (sum << 1 | sum >> 15) ^ bytes[i];
  return sum;
}

inline void save(const settings& s) {
  const uint16_t sum = checksum(s);
  eeprom_update_block(&s, reinterpret_cast<void*>(0), sizeof s);
  eeprom_update_word(reinterpret_cast<uint16_t*>(sizeof s), sum);
}

inline bool load(settings& s) {
  settings found;
  eeprom_read_block(&found, reinterpret_cast<const void*>(0), sizeof found);
  if (eeprom_read_word(reinterpret_cast<const uint16_t*>(sizeof found)) != checksum(found)) return false;
  s = found;
  return true;
}

inline void print(settings& s) {
  for (const field& each : fields) {
    field one;
    memcpy_P(&one, &each, sizeof one);
    Serial.print(one.name);
    Serial.print('=');
    Serial.print(member(s, one.offset));
    Serial.print(' ');
  }
  Serial.println();
}

// `NAME NUMBER`; false for another name or a number outside of its range.
inline bool change(settings& s, const char* text) {
  for (const field& each : fields) {
    field one;
    memcpy_P(&one, &each, sizeof one);
    const uint8_t length = strlen(one.name);
    if (strncmp(text, one.name, length) || text[length] != ' ') continue;
    const uint16_t number = atoi(text + length + 1);
    if (number < one.least || number > one.most) return false;
    member(s, one.offset) = number;
    return true;
  }
  return false;
}
