#include "../src/blinker.hpp"
#include "check.hpp"

namespace {

struct led {
  static void set(bool on) { lit = on; }
  static bool lit;
};
bool led::lit;

struct console {
  static void put(char c) {
    if (c == '\n') ++lines;
  }
  static uint8_t lines;
};
uint8_t console::lines;

blinker<led, console> blink(0b00000101);

void two_flashes_and_a_pause() {
  blink.start();
  baton::scheduler::run_until_idle();
  CHECK(led::lit);
  check::pass_ms(249);
  CHECK(led::lit);
  check::pass_ms(1);
  CHECK(!led::lit);
  check::pass_ms(250);
  CHECK(led::lit);
  check::pass_ms(250);
  CHECK(!led::lit);
  check::pass_ms(1249);
  CHECK(!led::lit);
  check::pass_ms(1);
  CHECK(led::lit);
}

void each_flash_is_counted_once() {
  CHECK(console::lines == 3);
}

}  // namespace

int main() {
  baton::board::start();
  two_flashes_and_a_pause();
  each_flash_is_counted_once();
  check::finish();
}
