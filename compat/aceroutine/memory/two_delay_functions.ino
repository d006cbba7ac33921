// SPDX-License-Identifier: MIT
//
// Two functions that work every 10 ms, without a coroutine.
volatile int work = 0;

void every10A() {
  static uint16_t begun;
  uint16_t now = millis();
  if (static_cast<uint16_t>(now - begun) >= 10) {
    begun = now;
    work = 1;
  }
}

void every10B() {
  static uint16_t begun;
  uint16_t now = millis();
  if (static_cast<uint16_t>(now - begun) >= 10) {
    begun = now;
    work = 1;
  }
}

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  every10A();
  every10B();
}
