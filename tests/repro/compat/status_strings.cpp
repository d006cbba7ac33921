// SPDX-License-Identifier: MIT
// sStatusStrings lies in RAM, and pgm_read_ptr() of AceRoutine's programs reads it from flash.
// Issue: Devices.
#define PROGMEM __attribute__((section("in_flash")))
#include "sketch.hpp"

extern "C" const char __start_in_flash[], __stop_in_flash[];

void setup() {
  const char* const strings = reinterpret_cast<const char*>(&sStatusStrings[0]);
  Serial.println(strings >= __start_in_flash && strings < __stop_in_flash ? "flash" : "RAM");
}

void loop() {}

int main() {
  return run_sketch(1, "flash ");
}
