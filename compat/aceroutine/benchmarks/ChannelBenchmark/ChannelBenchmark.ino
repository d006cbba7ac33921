// SPDX-License-Identifier: MIT
//
// The rows of AceRoutine's ChannelBenchmark: the time of one round of a coroutine that counts,
// while a writer and a reader are suspended, and while they pass numbers through a channel. The
// output has the form of that program's.
#include <AceRoutine.h>
using namespace ace_routine;

const uint32_t kIterations = 10000;

volatile uint32_t counter = 0;
volatile uint32_t written = 0;
volatile uint32_t read = 0;
volatile uint32_t received = 0;

COROUTINE(countRounds) {
  COROUTINE_LOOP() {
    counter++;
    COROUTINE_YIELD();
  }
}

Channel<uint32_t> numbers;

struct Writer : Coroutine {
  explicit Writer(Channel<uint32_t>& channel) : mChannel(channel) {}
  int runCoroutine() override {
    COROUTINE_LOOP() {
      written++;
      uint32_t payload = written;
      COROUTINE_CHANNEL_WRITE(mChannel, payload);
    }
  }
  Channel<uint32_t>& mChannel;
};
Writer writer(numbers);

struct Reader : Coroutine {
  explicit Reader(Channel<uint32_t>& channel) : mChannel(channel) {}
  int runCoroutine() override {
    COROUTINE_LOOP() {
      uint32_t payload;
      read++;
      COROUTINE_CHANNEL_READ(mChannel, payload);
      received = payload;
    }
  }
  Channel<uint32_t>& mChannel;
};
Reader reader(numbers);

uint32_t runRounds() {
  counter = written = read = received = 0;
  uint32_t start = micros();
  while (counter < kIterations) {
    CoroutineScheduler::loop();
  }
  return micros() - start;
}

uint32_t runBaseline() {
  writer.suspend();
  reader.suspend();
  return runRounds();
}

uint32_t runChannels() {
  writer.resume();
  reader.resume();
  return runRounds();
}

// A board whose USB no host answers, as in a simulator, prints on its serial pins.
Print& console() {
#if defined(USBCON)
  Serial1.begin(115200);
  if (!Serial) return Serial1;
#endif
  return Serial;
}

// Prints `NAME MICROS ITERATIONS WRITTEN READ`; the microseconds are of one round.
void printRow(Print& out, const __FlashStringHelper* name, uint32_t elapsed) {
  if (received + 2 < read || received > written) out.print(F("wrong number: "));
  out.print(name);
  out.print(' ');
  out.print(elapsed / static_cast<float>(kIterations), 3);
  out.print(' ');
  out.print(kIterations);
  out.print(' ');
  out.print(written);
  out.print(' ');
  out.println(read);
  out.flush();
}

void setup() {
  delay(100);
  Serial.begin(115200);
  Print& out = console();
  CoroutineScheduler::setup();

  out.println(F("BENCHMARKS"));
  out.flush();
  printRow(out, F("Baseline"), runBaseline());
  printRow(out, F("Channels"), runChannels());
  out.println(F("END"));
}

void loop() {}
