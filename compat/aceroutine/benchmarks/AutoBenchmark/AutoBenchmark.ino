// SPDX-License-Identifier: MIT
//
// The rows of AceRoutine's AutoBenchmark: the time to raise a counter once, in a plain loop, and by
// two coroutines in turn. The output has the form of that program's. No profiler is attached, as in
// the published rows.
#include <AceRoutine.h>
using namespace ace_routine;

// More than twice 65535: g++ counts a shorter loop by 16 bits, and a round takes longer.
const uint32_t kIterations = 140000;

volatile uint32_t counter = 0;

COROUTINE(counterA) {
  COROUTINE_LOOP() {
    counter++;
    COROUTINE_YIELD();
  }
}

COROUTINE(counterB) {
  COROUTINE_LOOP() {
    counter++;
    COROUTINE_YIELD();
  }
}

uint32_t runEmptyLoop(uint32_t iterations) {
  counter = 0;
  uint32_t start = micros();
  for (uint32_t i = 0; i < iterations; i++) {
    counter++;
  }
  return micros() - start;
}

uint32_t runDirectScheduling(uint32_t iterations) {
  counter = 0;
  uint32_t start = micros();
  for (uint32_t i = 0; i < iterations / 2; i++) {
    counterA.runCoroutine();
    counterB.runCoroutine();
  }
  return micros() - start;
}

uint32_t runDirectSchedulingWithProfiler(uint32_t iterations) {
  counter = 0;
  uint32_t start = micros();
  for (uint32_t i = 0; i < iterations / 2; i++) {
    counterA.runCoroutineWithProfiler();
    counterB.runCoroutineWithProfiler();
  }
  return micros() - start;
}

uint32_t runCoroutineScheduling(uint32_t iterations) {
  counter = 0;
  uint32_t start = micros();
  for (uint32_t i = 0; i < iterations; i++) {
    CoroutineScheduler::loop();
  }
  return micros() - start;
}

uint32_t runCoroutineSchedulingWithProfiler(uint32_t iterations) {
  counter = 0;
  uint32_t start = micros();
  for (uint32_t i = 0; i < iterations; i++) {
    CoroutineScheduler::loopWithProfiler();
  }
  return micros() - start;
}

// A board whose USB no host answers, as in a simulator, prints on its serial pins.
Print& console() {
#if defined(USBCON)
  Serial1.begin(115200);
  if (!Serial) return Serial1;
#endif
  return Serial;
}

// Prints `NAME MICROS ITERATIONS`; the microseconds are of one iteration.
void printRow(Print& out, const __FlashStringHelper* name, uint32_t elapsed) {
  if (counter != kIterations) out.print(F("wrong count: "));
  out.print(name);
  out.print(' ');
  out.print(elapsed / static_cast<float>(kIterations), 3);
  out.print(' ');
  out.println(kIterations);
  out.flush();
}

void setup() {
  delay(100);
  Serial.begin(115200);
  Print& out = console();

  out.println(F("SIZEOF"));
  out.print(F("sizeof(Coroutine): "));
  out.println(sizeof(Coroutine));
  out.print(F("sizeof(CoroutineScheduler): "));
  out.println(sizeof(CoroutineScheduler));
  out.print(F("sizeof(Channel<int>): "));
  out.println(sizeof(Channel<int>));
  out.print(F("sizeof(LogBinProfiler): "));
  out.println(sizeof(LogBinProfiler));
  out.print(F("sizeof(LogBinTableRenderer): "));
  out.println(sizeof(LogBinTableRenderer));
  out.print(F("sizeof(LogBinJsonRenderer): "));
  out.println(sizeof(LogBinJsonRenderer));

  CoroutineScheduler::setup();
  out.println(F("BENCHMARKS"));
  out.flush();
  printRow(out, F("EmptyLoop"), runEmptyLoop(kIterations));
  printRow(out, F("DirectScheduling"), runDirectScheduling(kIterations));
  printRow(out, F("DirectSchedulingWithProfiler"), runDirectSchedulingWithProfiler(kIterations));
  printRow(out, F("CoroutineScheduling"), runCoroutineScheduling(kIterations));
  printRow(out, F("CoroutineSchedulingWithProfiler"), runCoroutineSchedulingWithProfiler(kIterations));
  out.println(F("END"));
}

void loop() {}
