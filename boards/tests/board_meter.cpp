// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/board_meter.hpp>

namespace {

using baton::board::meter;

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

#ifdef __AVR__
bool check() {
  meter::start();
  meter::stop();
  meter::start();
  __asm__ volatile("nop\n\tnop");
  meter::stop();
  print("baton-bench/1 value=#0 loaded=#1 iterations=1\n");
  return true;
}
#else
bool check() {
  meter::start();
  meter::stop();
  const uint64_t empty = meter::elapsed_ns();
  meter::start();
  volatile unsigned turns = 1000000;
  while (turns) turns = turns - 1;
  meter::stop();
  if (empty < meter::elapsed_ns()) return true;
  print("an empty interval took longer than a million turns\n");
  return false;
}
#endif

}  // namespace

int main() {
  baton::board::start();
  baton::board::finish(check() ? 0 : 1);
}
