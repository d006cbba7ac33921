// SPDX-License-Identifier: MIT
//
// What a feature is compared with: start-up, console, work.
#include "program.hpp"

int main() {
  start();
  for (;;) work = 1;
}
