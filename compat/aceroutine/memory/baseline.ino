// SPDX-License-Identifier: MIT
//
// What a feature is compared with: Serial, millis(), micros(), and work. No coroutine.
volatile int work;

void setup() {
  Serial.begin(115200);
  work = static_cast<int>(millis() + micros());
}

void loop() {
  work = 1;
}
