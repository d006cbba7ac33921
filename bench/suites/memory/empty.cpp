// SPDX-License-Identifier: MIT
//
// The program that each feature is compared with: start-up, console, work.
#include "program.hpp"

int main() {
  start();
  for (;;) work = 1;
}
