// The cost of a step of the pattern. The base is the loop alone; the floor is the least code that
// does the same work.
#include "../src/pattern.hpp"

#include <baton/bench/measure.hpp>

namespace {

using steps = baton::bench::operations<800>;

volatile uint8_t sink;
uint32_t lit;

struct loop : baton::bench::workload {
  static void run() {
    for (uint32_t i = 0; i < steps::count(); ++i) sink = 1;
  }
};

struct next : loop {
  static void prepare() { lit = 0; }
  static void run() {
    pattern light(0b00000101);
    for (uint32_t i = 0; i < steps::count(); ++i) {
      const bool on = light.next();
      sink = on;
      lit += on;
    }
  }
  static bool finish() { return lit == steps::count() / 4; }  // two of eight steps
};

struct rotation : next {
  static void run() {
    uint8_t bits = 0b00000101;
    for (uint32_t i = 0; i < steps::count(); ++i) {
      const uint8_t on = bits & 1;
      bits = static_cast<uint8_t>(bits >> 1 | on << 7);
      sink = on;
      lit += on;
    }
  }
};

}  // namespace

int main() {
  baton::board::start();
  baton::bench::measure<next, loop, rotation>(
      baton::bench::row(BATON_TEXT("pattern"), BATON_TEXT("next"), BATON_TEXT(""), steps::count()));
  baton::bench::finish();
}
