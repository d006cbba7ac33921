// SPDX-License-Identifier: MIT
#include "counting.hpp"

int main() {
  baton::board::start();
  baton::bench::measure<counting<0>, counting<0>, counting<0>>(row_of(BATON_TEXT("right")));
  baton::bench::finish();
}
