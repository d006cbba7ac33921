// SPDX-License-Identifier: MIT
//
// The running clock alone, which main reads. Its interrupt is part of every feature that delays.
#include "program.hpp"

int main() {
  start();
  for (;;) work = static_cast<int>(baton::port::now());
}
