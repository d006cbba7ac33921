// SPDX-License-Identifier: MIT
//
// The baseline of every feature: Serial, delay() with its clock, and work, without a coroutine.
volatile int work = 0;

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  work = 1;
}
