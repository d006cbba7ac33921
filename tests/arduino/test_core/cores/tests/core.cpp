// SPDX-License-Identifier: MIT
#include <baton/board_console.hpp>

#include "variant.hpp"

HardwareSerial Serial;

namespace {

constexpr uint8_t pins = 32;
constexpr uint32_t before_wrap_us = 100000;

struct pin {
  uint8_t level;
  uint8_t mode;
  void (*handler)();
};
pin pin_at[pins];
volatile uint32_t changed;  // a bit for each pin whose handler has to be called

uint32_t ahead_us = -before_wrap_us;  // of elapsed_us()

}  // namespace

namespace test_core {

void set_micros(uint32_t us) {
  ahead_us = us - static_cast<uint32_t>(elapsed_us());
}

void on_pin_interrupt() {
  const uint32_t now = changed;
  changed = 0;
  for (uint8_t number = 0; number < pins; ++number) {
    if (now >> number & 1 && pin_at[number].handler) pin_at[number].handler();
  }
}

}  // namespace test_core

extern "C" {

unsigned long micros() {
  return static_cast<uint32_t>(test_core::elapsed_us()) + ahead_us;
}

unsigned long millis() {
  return static_cast<unsigned long>(test_core::elapsed_us() / 1000);
}

__attribute__((weak)) void yield() {}

void delay(unsigned long ms) {
  const unsigned long begun = millis();
  while (millis() - begun < ms) yield();
}

void delayMicroseconds(unsigned int us) {
  const unsigned long begun = micros();
  while (micros() - begun < us) {
  }
}

void pinMode(uint8_t pin, uint8_t mode) {
  if (pin < pins && mode == INPUT_PULLUP) pin_at[pin].level = HIGH;
}

int digitalRead(uint8_t pin) {
  return pin < pins ? pin_at[pin].level : LOW;
}

int analogRead(uint8_t) {
  return 512;
}

void digitalWrite(uint8_t number, uint8_t value) {
  if (number >= pins) return;
  const test_core::masked mask;
  pin& p = pin_at[number];
  const uint8_t level = value ? HIGH : LOW;
  const uint8_t edge = level ? RISING : FALLING;
  const bool interrupts_here = p.handler && level != p.level && (p.mode == CHANGE || p.mode == edge);
  p.level = level;
  if (!interrupts_here) return;
  changed = changed | 1u << number;
  test_core::pend_pin_interrupt();
}

void attachInterrupt(uint8_t pin, void (*handler)(), int mode) {
  if (pin >= pins) return;
  const test_core::masked mask;
  pin_at[pin].handler = handler;
  pin_at[pin].mode = static_cast<uint8_t>(mode);
}

void detachInterrupt(uint8_t pin) {
  attachInterrupt(pin, nullptr, CHANGE);
}

}  // extern "C"

size_t Print::print(const char* text) {
  size_t printed = 0;
  while (*text) printed += write(static_cast<uint8_t>(*text++));
  return printed;
}

size_t Print::print(const __FlashStringHelper* text) {
  const char* p = reinterpret_cast<const char*>(text);
  size_t printed = 0;
  while (const uint8_t c = pgm_read_byte(p++)) printed += write(c);
  return printed;
}

size_t Print::print(long number, int base) {
  if (base != DEC || number >= 0) return print(static_cast<unsigned long>(number), base);
  return print('-') + print(0ul - static_cast<unsigned long>(number), base);
}

size_t Print::print(unsigned long number, int base) {
  char digits[8 * sizeof(number) + 1];
  char* first = digits + sizeof(digits);
  *--first = 0;
  do {
    const uint8_t digit = static_cast<uint8_t>(number % static_cast<unsigned>(base));
    *--first = static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10);
    number /= static_cast<unsigned>(base);
  } while (number);
  return print(first);
}

size_t HardwareSerial::write(uint8_t byte) {
  baton::board::console::put(static_cast<char>(byte));
  return 1;
}

int main() {
  test_core::start();
  setup();
  for (;;) loop();
}
