// SPDX-License-Identifier: MIT
//
// The baseline of every feature: Serial, millis(), micros(), and work, without a coroutine.
volatile int work;

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
}

void loop() {
  work = 1;
}
