// SPDX-License-Identifier: MIT
//
// As broadcast, with slow readers that hold the sender.
#include "broadcast_lossless.hpp"

static pair<1> one;

int main() {
  start();
  one.start();
  baton::scheduler::run();
}
