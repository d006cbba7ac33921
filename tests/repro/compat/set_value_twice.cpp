// SPDX-License-Identifier: MIT
// setValue() of the next value overwrites the one that is on its way to the reader.
// Issue: Devices.
#include "sketch.hpp"

Channel<int> numbers;

void setup() {
  int got = 0;
  numbers.read(got);
  numbers.setValue(1);
  numbers.write();
  numbers.setValue(2);
  numbers.read(got);
  Serial.println(got);
  numbers.write();
  numbers.read(got);
  numbers.write();
  numbers.read(got);
  Serial.println(got);
}

void loop() {}

int main() {
  return run_sketch(1, "1 2 ");
}
