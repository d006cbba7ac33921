// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/board_meter.hpp>

using baton::board::meter;

int main() {
  baton::board::start();
  meter::start();
  meter::stop();
  const uint64_t empty = meter::elapsed_ns();
  meter::start();
  volatile unsigned turns = 1000000;
  while (turns) turns = turns - 1;
  meter::stop();
  baton::board::finish(empty < meter::elapsed_ns() ? 0 : 1);
}
