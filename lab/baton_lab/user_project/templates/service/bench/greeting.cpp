// The time of the page's text. The base is the loop alone; the floor is the digits alone.
#include "../src/greeting.hpp"

#include <baton/bench/measure.hpp>
#include <charconv>

namespace {

using texts = baton::bench::operations<200>;

volatile char sink;
size_t letters;

struct loop : baton::bench::workload {
  static void run() {
    for (uint32_t i = 0; i < texts::count(); ++i) sink = '1';
  }
};

struct whole : loop {
  static void prepare() { letters = 0; }
  static void run() {
    for (uint32_t i = 0; i < texts::count(); ++i) {
      const std::string text = greeting(static_cast<int>(i % 10));
      letters += text.size();
      sink = text.back();
    }
  }
  static bool finish() { return letters == texts::count() * greeting(0).size(); }
};

struct digits : loop {
  static void run() {
    for (uint32_t i = 0; i < texts::count(); ++i) {
      char text[8];
      const auto end = std::to_chars(text, text + sizeof text, i % 10).ptr;
      sink = end[-1];
    }
  }
};

}  // namespace

int main() {
  baton::board::start();
  baton::bench::measure<whole, loop, digits>(
      baton::bench::row(BATON_TEXT("greeting"), BATON_TEXT("whole"), BATON_TEXT(""), texts::count()));
  baton::bench::finish();
}
