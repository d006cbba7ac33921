// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pins_arduino.h>

// The part of the Arduino API that the library and its sketches call, for tests. Pins are variables
// in RAM; a write to a pin raises the interrupt that is attached to it, as an output pin of an AVR
// does. The names are Arduino's.
// NOLINTBEGIN(readability-identifier-naming)

#define HIGH 1
#define LOW 0
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define CHANGE 1
#define FALLING 2
#define RISING 3
#define DEC 10
#define HEX 16
#define LED_BUILTIN 13
#define A0 14
#define digitalPinToInterrupt(pin) (pin)

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))

#define pgm_read_byte(address) (*reinterpret_cast<const uint8_t*>(address))
#define pgm_read_word(address) (*reinterpret_cast<const uint16_t*>(address))
#define memcpy_P memcpy
#define pgm_read_ptr(address) (*reinterpret_cast<const void* const*>(address))

typedef uint8_t byte;
typedef bool boolean;

class __FlashStringHelper;
#define PSTR(literal)                                      \
  (__extension__({                                         \
    static const char string_in_flash[] PROGMEM = literal; \
    &string_in_flash[0];                                   \
  }))
#define F(literal) (reinterpret_cast<const __FlashStringHelper*>(PSTR(literal)))

extern "C" {
unsigned long millis();
unsigned long micros();
void delay(unsigned long ms);
void delayMicroseconds(unsigned int us);
void yield();
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t value);
int digitalRead(uint8_t pin);
/// Half of the full scale, as of a pin that a divider holds there.
int analogRead(uint8_t pin);
void attachInterrupt(uint8_t pin, void (*handler)(), int mode);
void detachInterrupt(uint8_t pin);
}

void setup();
void loop();

class Print {
 public:
  virtual size_t write(uint8_t byte) = 0;

  size_t print(const char* text);
  size_t print(const __FlashStringHelper* text);
  size_t print(char c) { return write(static_cast<uint8_t>(c)); }
  size_t print(unsigned char number, int base = DEC) { return print(static_cast<unsigned long>(number), base); }
  size_t print(int number, int base = DEC) { return print(static_cast<long>(number), base); }
  size_t print(unsigned int number, int base = DEC) { return print(static_cast<unsigned long>(number), base); }
  size_t print(long number, int base = DEC);
  size_t print(unsigned long number, int base = DEC);

  size_t println() { return print("\r\n"); }
  template <typename T>
  size_t println(T value) {
    const size_t printed = print(value);
    return printed + println();
  }
  template <typename T>
  size_t println(T number, int base) {
    const size_t printed = print(number, base);
    return printed + println();
  }
};

/// The board's console. The variant of a board that cannot receive defines no `available()`, so a
/// sketch that needs it does not link.
class HardwareSerial : public Print {
 public:
  void begin(unsigned long) {}
  void flush() {}
  size_t write(uint8_t byte) override;
  int available();
  int read();
};
extern HardwareSerial Serial;

// NOLINTEND(readability-identifier-naming)

namespace test_core {

/// Sets `micros()`, which starts 100 ms before it wraps. `millis()` starts at 0 and is not changed.
void set_micros(uint32_t us);

}  // namespace test_core
