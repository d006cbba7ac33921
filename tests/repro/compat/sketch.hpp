// SPDX-License-Identifier: MIT
#pragma once

// A sketch with the AceRoutine library's header, in virtual time on the host: a millisecond passes
// after each loop().
#include <AceRoutine.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>

using namespace ace_routine;

/// The console that a sketch prints to.
struct serial_port {
  void print(const char* text) { printed += text; }
  void print(const __FlashStringHelper* text) { printed += reinterpret_cast<const char*>(text); }
  void print(int number) { printed += std::to_string(number); }
  template <typename Value>
  void println(Value value) {
    print(value);
    printed += ' ';
  }
  int available() const { return 1; }
  int read() const { return 'a'; }
  std::string printed;
};
inline serial_port Serial;

void setup();
void loop();

/// Runs the sketch for a time, and fails while it does not print what it prints with the AceRoutine
/// library.
inline int run_sketch(int milliseconds, const char* of_aceroutine) {
  setup();
  for (; milliseconds; --milliseconds) {
    loop();
    baton::sim::advance(baton::milliseconds(1));
  }
  if (Serial.printed == of_aceroutine) return 0;
  printf("failed: it prints '%s', and with AceRoutine '%s'\n", Serial.printed.c_str(), of_aceroutine);
  return 1;
}
