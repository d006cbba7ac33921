// SPDX-License-Identifier: MIT
// SPDX-License-Identifier: MIT
#include <Arduino.h>
#include <string.h>
static const uint16_t pat_on[] = {0, 500, 100, 50}, pat_off[] = {1000, 500, 100, 950};
static uint16_t readings, timeouts, last_reading;
static inline bool is_down() {
  return !digitalRead(2);
}
static inline void adc_setup() {
  ADMUX = 1 << REFS0;
  ADCSRA = (1 << ADEN) | (1 << ADIE) | 7;
}
static inline void adc_go(uint8_t turn) {
  if (turn % 8) ADCSRA |= 1 << ADSC;
}
static inline void stat() {
  Serial.print(F("readings "));
  Serial.print(readings);
  Serial.print(F(" timeouts "));
  Serial.print(timeouts);
  Serial.print(F(" last "));
  Serial.println(last_reading);
}
// returns 0..3 for led n, 4 for stat, 255 for nothing
static inline uint8_t parse(const char* line) {
  if (!strncmp(line, "led ", 4) && line[4] >= '0' && line[4] <= '3') return line[4] - '0';
  if (!strcmp(line, "stat")) return 4;
  Serial.print(F("? "));
  Serial.println(line);
  return 255;
}
