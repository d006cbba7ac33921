#include <baton/board.hpp>

#include "blinker.hpp"

static blinker<baton::board::led, baton::board::console> blink(0b00000101);  // two short flashes

int main() {
  baton::board::start();
  blink.start();
  baton::scheduler::run();
  return 0;
}
