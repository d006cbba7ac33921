// SPDX-License-Identifier: MIT
//
// Measures with a counter that stands still, which has to end the program.
#include <baton/board.hpp>
#include <baton/cortex_m/cycle_meter.hpp>

int main() {
  baton::board::start();
  baton::board::cycle_meter::settle();
  baton::board::finish(0);
}
