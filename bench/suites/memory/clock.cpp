// SPDX-License-Identifier: MIT
//
// The running clock alone, read by main: its interrupt is part of every feature that delays.
#include "program.hpp"

int main() {
  start();
  for (;;) work = static_cast<int>(baton::port::now());
}
