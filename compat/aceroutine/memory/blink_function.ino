// SPDX-License-Identifier: MIT
//
// A function that blinks, on for 100 ms and off for 500 ms, without a coroutine.
volatile int work = 0;

void blink() {
  static uint16_t begun;
  static bool on;
  uint16_t now = millis();
  if (on) {
    if (static_cast<uint16_t>(now - begun) >= 100) {
      begun = now;
      digitalWrite(LED_BUILTIN, LOW);
      on = false;
    }
  } else if (static_cast<uint16_t>(now - begun) >= 500) {
    begun = now;
    digitalWrite(LED_BUILTIN, HIGH);
    on = true;
  }
}

void setup() {
  delay(1000);
  Serial.begin(115200);
  Serial.write(work);
}

void loop() {
  blink();
}
